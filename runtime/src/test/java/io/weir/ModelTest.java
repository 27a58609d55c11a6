package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.internal.permits.RequestDecision;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests policies, keys and decisions on their own. */
class ModelTest {
  private static final Key KEY = Key.address("192.0.2.1");

  private static PolicyBuilder policy() {
    return Policy.builder("model").limit(1_000).window(Duration.ofMinutes(1));
  }

  private static void refuses(PolicyBuilder policy, String rule) {
    String message = assertThrows(IllegalArgumentException.class, policy::build).getMessage();
    assertTrue(message.contains(rule), message);
  }

  @Test
  void softThatCannotExceedTheBurstIsAnError() {
    PolicyBuilder soft = policy().mode(Mode.SOFT).exceedBy(50).algorithm(Algorithm.LEAKY_BUCKET);
    refuses(soft, "exceedBy = 50: adds less than one permit to the burst of 1");
    assertEquals(2, soft.burst(2).build().burstFor(1_000));
  }

  @Test
  void aCostAboveTheSmallestTierIsAnError() {
    refuses(
        policy().tier("low", 5).cost(6),
        "cost = 6: must be 1 to 5, the permits at once (tier low)");
    assertEquals(5, policy().tier("low", 5).cost(5).build().cost());
  }

  @Test
  void countingByNobodyIsAnError() {
    refuses(policy().by(), "by = []: must name at least one");
  }

  @Test
  void allMistakesAreTold() {
    PolicyBuilder wrong = policy().limit(0).exceedBy(1001).overshoot(-1).tier("a b", 0);
    assertEquals(
        List.of(
            "limit = 0: must be 1 to 1,000,000,000",
            "exceedBy = 1001: must be 0 to 1,000 %",
            "tiers = 'a b': a tier's name must match [A-Za-z0-9._-]{1,64}",
            "tiers.a b = 0: must be 1 to 1,000,000,000",
            "overshoot = -1: must be 0 to 100 %"),
        wrong.mistakes().stream().map(PolicyMistake::toString).toList());
    refuses(wrong, "5 mistakes in rate limits");
    refuses(wrong, "policy model: exceedBy = 1001: must be 0 to 1,000 %");
    assertEquals(List.of(), policy().mistakes());
  }

  @Test
  void aPolicyThatOnlyWatchesHidesNoOther() {
    Decision watched =
        RequestDecision.builder(policy().shadow(true).build(), KEY)
            .outcome(Outcome.SHADOW_REFUSED, Reason.QUOTA_EXCEEDED)
            .build();
    Decision soft =
        RequestDecision.builder(policy().build(), KEY)
            .outcome(Outcome.SOFT, Reason.WITHIN_LIMIT)
            .build();
    assertEquals(Outcome.SOFT, DecisionCombiner.of(List.of(watched, soft)).outcome());
    assertSame(watched, DecisionCombiner.of(List.of(watched)));
  }

  @Test
  void aKeyTellsItsKindAndNothingElse() {
    assertEquals(KEY.toString(), Key.address("198.51.100.7").toString());
  }
}
