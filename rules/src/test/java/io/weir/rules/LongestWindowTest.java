package io.weir.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rules.usage.WhatIfLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The bounds of windows, and one beyond. */
class LongestWindowTest {
  private static final Duration LONGEST = Duration.ofDays(366);
  private static final Instant THEN = Instant.parse("2026-06-01T00:00:00Z");

  private static WhatIfLimit whatIf(Duration length, Duration time) {
    return new WhatIfLimit(
        "/a",
        Set.of(),
        Optional.empty(),
        1,
        Optional.of(length),
        Optional.empty(),
        THEN,
        THEN.plus(time));
  }

  @Test
  void aRuleCountsWithinOneSecondTo366Days() {
    assertEquals(Optional.of(LONGEST), RuleWindow.ofSeconds(LONGEST.toSeconds()).length());
    assertEquals(Optional.of(Duration.ofSeconds(1)), RuleWindow.ofSeconds(1).length());
    assertThrows(
        IllegalArgumentException.class, () -> RuleWindow.ofSeconds(LONGEST.toSeconds() + 1));
    assertThrows(IllegalArgumentException.class, () -> RuleWindow.ofSeconds(0));
  }

  @Test
  void whatIfAsksForOneSecondTo366DaysAndAtMost92OfUsage() {
    Duration hour = Duration.ofHours(1);
    Duration most = Duration.ofDays(92);
    assertEquals(Optional.of(LONGEST), whatIf(LONGEST, hour).length());
    assertEquals(THEN.plus(most), whatIf(Duration.ofSeconds(1), most).until());
    assertThrows(IllegalArgumentException.class, () -> whatIf(LONGEST.plusSeconds(1), hour));
    assertThrows(IllegalArgumentException.class, () -> whatIf(Duration.ofMillis(999), hour));
    assertThrows(IllegalArgumentException.class, () -> whatIf(hour, most.plusSeconds(1)));
    assertThrows(IllegalArgumentException.class, () -> whatIf(hour, Duration.ZERO));
  }
}
