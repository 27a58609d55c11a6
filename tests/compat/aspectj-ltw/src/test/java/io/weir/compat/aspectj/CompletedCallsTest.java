package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.WeirBuilder;
import io.weir.compat.CompletedRequests;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests that a policy source is notified of woven calls outside of a request. */
class CompletedCallsTest extends WovenTest {
  private CompletedRequests completed;

  @Override
  WeirBuilder configure(WeirBuilder builder) {
    completed = new CompletedRequests();
    return builder.policySource(completed);
  }

  @Test
  void eachCallIsOneOfItsOwnAdmittedOrRefused() {
    Methods methods = new Methods();
    for (int i = 0; i < 4; i++) {
      methods.counted();
    }
    assertRefused(methods::counted);
    assertEquals(5, completed.told().size());
    assertEquals(" Methods#counted by nobody: admitted Methods.counted", completed.told().get(3));
    assertEquals(" Methods#counted by nobody: refused Methods.counted", completed.told().get(4));
  }

  @Test
  void aStageIsToldWhenItCompletes() {
    CompletableFuture<String> later = new CompletableFuture<>();
    new Outcomes().later(later);
    assertEquals(List.of(), completed.told());
    later.complete("in the end");
    assertEquals(1, completed.told().size());
  }
}
