package io.weir.internal.rules.rulebook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.rules.tier.TierOffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class TierComparisonTest {
  @Test
  void windowsOfPoliciesAreWrittenAsRulesWriteThem() {
    assertEquals("60s", window(Policy.builder("a").window(Duration.ofMinutes(1))));
    assertEquals("PT0.5S", window(Policy.builder("a").window(Duration.ofMillis(500))));
    assertEquals("1 MONTH", window(Policy.builder("a").window(1, ChronoUnit.MONTHS).zone("UTC")));
    assertEquals("1 WEEK", window(Policy.builder("a").window(1, ChronoUnit.WEEKS).zone("UTC")));
  }

  private static String window(PolicyBuilder policy) {
    Rulebook book = Compiling.of().bound(policy.limit(5).tier("gold", 10).build()).rulebook();
    List<TierOffer.Limit> limits = new TierComparison(book, OwnLimits.NONE, 0).limits("gold");
    return limits.get(0).window();
  }
}
