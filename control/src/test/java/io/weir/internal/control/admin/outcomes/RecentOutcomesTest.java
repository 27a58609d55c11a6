package io.weir.internal.control.admin.outcomes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.rules.outcome.CurrentOutcomes;
import io.weir.rules.outcome.OutcomeRates;
import io.weir.rules.outcome.PolicyRates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecentOutcomesTest {
  private static final Instant START = Instant.parse("2027-03-01T00:00:00Z");

  private final RecentOutcomes recent = new RecentOutcomes();

  private void add(Instant at, PolicyRates... policies) {
    OutcomeRates totals = OutcomeRates.NONE;
    for (PolicyRates each : policies) {
      totals = totals.plus(each.rates());
    }
    recent.add(
        new CurrentOutcomes(
            at, 1, 0, Duration.ZERO, true, totals, List.of(policies), Optional.empty()));
  }

  private RecentOutcomesDocument document() {
    return RecentOutcomesDocument.of(recent.points());
  }

  private static PolicyRates rates(String policy, double admitted, double refused) {
    return new PolicyRates(policy, new OutcomeRates(admitted, refused, 0, 0, 0));
  }

  @Test
  void eachPolicyHasANumberForEachPoint() {
    add(START, rates("posts", 2, 1));
    add(START.plusSeconds(5), rates("search", 9.0004, 0), rates("posts", 3, 0));
    add(START.plusSeconds(10));
    RecentOutcomesDocument found = document();
    assertEquals(List.of(2.0, 12.0, 0.0), found.points().stream().map(p -> p.admitted()).toList());
    assertEquals(START.plusSeconds(10), found.points().get(2).at());
    assertEquals(
        List.of("search", "posts"), found.policies().stream().map(p -> p.policy()).toList());
    assertEquals(List.of(0.0, 9.0, 0.0), found.policies().get(0).admitted());
    assertEquals(List.of(2.0, 3.0, 0.0), found.policies().get(1).admitted());
    assertEquals(List.of(1.0, 0.0, 0.0), found.policies().get(1).refused());
  }

  @Test
  void keepsAQuarterOfAnHourAndTheBusiestPolicies() {
    List<PolicyRates> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      many.add(rates("policy" + i, 1_000 - i, 0));
    }
    for (int i = 0; i < 400; i++) {
      add(START.plusSeconds(5L * i), many.toArray(PolicyRates[]::new));
    }
    RecentOutcomesDocument found = document();
    assertEquals(180, found.points().size());
    assertEquals(START.plusSeconds(5 * 220), found.points().get(0).at());
    assertEquals(100, found.policies().size());
    assertEquals("policy0", found.policies().get(0).policy());
    assertEquals(180, found.policies().get(99).admitted().size());

    add(START.plusSeconds(5 * 399 + 600), rates("late", 1, 0));
    assertEquals(
        START.plusSeconds(5 * 399 + 600 - 900), document().points().get(0).at(), "by time");
  }

  @Test
  void aDatabaseWhoseClockWasSetBackLeavesNoPointsOfItsFuture() {
    add(START.plusSeconds(100), rates("posts", 1, 0));
    add(START.plusSeconds(200), rates("posts", 1, 0));
    add(START.plusSeconds(105), rates("posts", 1, 0));
    assertEquals(
        List.of(START.plusSeconds(100), START.plusSeconds(105)),
        document().points().stream().map(p -> p.at()).toList());
  }
}
