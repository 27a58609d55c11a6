package io.weir.internal.rules.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.spi.DecisionPhase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetPoliciesTest {
  private static final List<Policy> BOUND =
      List.of(Policy.builder("a").limit(1).window(Duration.ofMinutes(1)).build());

  private final SeenPolicies met = new SeenPolicies();

  @Test
  void whatWasMetIsKnown() {
    met.note("/a", DecisionPhase.BEFORE_AUTHENTICATION, BOUND);
    assertEquals(BOUND, met.at("/a"));
    assertEquals(List.of(), met.at("/b"));
  }

  @Test
  void inventedPathsOfAnyLengthLeaveLittleInMemory() {
    for (int each = 0; each < 20_000; each++) {
      met.note("/" + each, DecisionPhase.AFTER_AUTHENTICATION, BOUND);
      met.note("/" + "x".repeat(7_500) + each, DecisionPhase.AFTER_AUTHENTICATION, BOUND);
    }
    assertTrue(met.charactersKept() <= 10_000 * 256, "kept: " + met.charactersKept());
  }
}
