package io.weir.testkit;

import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.internal.permits.RequestDecision;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DecisionAssertTest {
  private static final Policy POLICY =
      Policy.builder("search").limit(10).window(Duration.ofMinutes(1)).build();
  private static final Decision ADMITTED =
      RequestDecision.builder(POLICY, Key.everybody()).remaining(10, 9).after(7, 0).build();
  private static final Decision REFUSED =
      RequestDecision.builder(POLICY, Key.everybody())
          .outcome(Outcome.REFUSED, Reason.QUOTA_EXCEEDED)
          .after(6_000_000, 6_000_000)
          .degraded(true)
          .build();

  @Test
  void acceptsWhatIsAsExpected() {
    assertThat(ADMITTED)
        .admitted()
        .notDegraded()
        .hasOutcome(Outcome.ADMITTED)
        .hasRemaining(9)
        .hasLimit(10)
        .resetsAfter(Duration.ofNanos(7_000))
        .decidedBy("search");
    assertThat(REFUSED)
        .refused()
        .degraded()
        .refusedBecause(Reason.QUOTA_EXCEEDED)
        .refusedFor(Duration.ofSeconds(6));
  }

  @Test
  void failsOnEverythingElseAndShowsTheDecision() {
    fails(ADMITTED, DecisionAssert::refused);
    fails(ADMITTED, DecisionAssert::degraded);
    fails(ADMITTED, decision -> decision.hasOutcome(Outcome.SOFT));
    fails(ADMITTED, decision -> decision.hasRemaining(8));
    fails(ADMITTED, decision -> decision.hasLimit(11));
    fails(ADMITTED, decision -> decision.resetsAfter(Duration.ofNanos(8_000)));
    fails(ADMITTED, decision -> decision.decidedBy("other"));
    fails(ADMITTED, decision -> decision.refusedFor(Duration.ZERO));
    fails(REFUSED, DecisionAssert::admitted);
    fails(REFUSED, DecisionAssert::notDegraded);
    fails(REFUSED, decision -> decision.refusedFor(Duration.ofSeconds(5)));
    fails(REFUSED, decision -> decision.refusedBecause(Reason.STORE_UNAVAILABLE));
  }

  private static void fails(Decision decision, Consumer<DecisionAssert> expectation) {
    AssertionError failure =
        assertThrows(AssertionError.class, () -> expectation.accept(assertThat(decision)));
    assertTrue(failure.getMessage().contains(decision.toString()), failure.getMessage());
  }
}
