package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OutcomesTest extends WovenTest {
  private final Outcomes outcomes = new Outcomes();

  @Test
  void aCheckedExceptionPassesUnchanged() {
    IOException failure = new IOException("of the method");
    assertSame(failure, assertThrows(IOException.class, () -> outcomes.failures(failure)));
  }

  @Test
  void onlyFailuresCount() throws Exception {
    for (int i = 0; i < 10; i++) {
      outcomes.failures(null);
    }
    assertThrows(IOException.class, () -> outcomes.failures(new IOException()));
    assertThrows(IllegalStateException.class, () -> outcomes.failures(new IllegalStateException()));
    assertRefused(() -> outcomes.failures(null));
  }

  @Test
  void onlySuccessesCount() throws Exception {
    for (int i = 0; i < 10; i++) {
      assertThrows(IOException.class, () -> outcomes.successes(false));
    }
    outcomes.successes(true);
    outcomes.successes(true);
    assertRefused(() -> outcomes.successes(true));
  }

  @Test
  void aSuccessClearsTheFailuresBeforeIt() throws Exception {
    assertThrows(IOException.class, () -> outcomes.signIn("bob", false));
    assertThrows(IOException.class, () -> outcomes.signIn("alice", false));
    outcomes.signIn("alice", true);
    assertThrows(IOException.class, () -> outcomes.signIn("alice", false));
    assertThrows(IOException.class, () -> outcomes.signIn("alice", false));
    assertRefused(() -> outcomes.signIn("alice", true));
    assertThrows(IOException.class, () -> outcomes.signIn("bob", false));
    assertRefused(() -> outcomes.signIn("bob", true));
  }

  @Test
  void aStageCountsWhenItCompletes() {
    CompletableFuture<String> first = new CompletableFuture<>();
    assertSame(first, outcomes.later(first));
    CompletableFuture<String> second = new CompletableFuture<>();
    assertRefused(() -> outcomes.later(second));
    first.complete("in the end");
    outcomes.later(second);
    second.completeExceptionally(new IOException());
    assertRefused(() -> outcomes.later(new CompletableFuture<>()));
  }

  @Test
  void aStageThatHasCompletedCountsAtOnce() {
    for (int i = 0; i < 10; i++) {
      assertEquals("now", outcomes.later(CompletableFuture.completedFuture("now")).join());
    }
    outcomes.later(CompletableFuture.failedFuture(new IOException()));
    assertRefused(() -> outcomes.later(CompletableFuture.completedFuture("too late")));
  }
}
