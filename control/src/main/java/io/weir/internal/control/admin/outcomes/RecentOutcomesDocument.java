package io.weir.internal.control.admin.outcomes;

import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.json.RoundedNumber;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.SchemaName;
import io.weir.rules.outcome.OutcomeRates;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Decisions of the last 15 minutes, per second. */
record RecentOutcomesDocument(
    @Described("The sums of all policies, about every five seconds, the oldest first")
        List<Moment> points,
    @Described("The 100 policies that decided most, the busiest first") List<OfPolicy> policies) {
  private static final int MAX_POLICIES = 100;

  @SchemaName("RecentOutcomesPoint")
  record Moment(
      @Described("When it was summed up, by the database's clock") Instant at,
      double admitted,
      double refused,
      double soft,
      double shadowRefused,
      double degraded) {
    static Moment of(OutcomesPoint point) {
      Map<String, Object> members = JsonRecords.members(OutcomeRatesDocument.of(point.totals()));
      members.put("at", point.at());
      return JsonRecords.of(Moment.class, members);
    }
  }

  @SchemaName("RecentOutcomesPolicy")
  record OfPolicy(
      @Described("Its name; * for all policies that a node had no room to count one by one")
          String policy,
      @Described("A number for each point; 0 where it wasn't among the 100 busiest policies")
          List<Double> admitted,
      List<Double> refused,
      List<Double> soft,
      List<Double> shadowRefused,
      List<Double> degraded) {
    static OfPolicy of(String policy, List<OutcomesPoint> points) {
      return new OfPolicy(
          policy,
          rates(policy, points, OutcomeRates::admitted),
          rates(policy, points, OutcomeRates::refused),
          rates(policy, points, OutcomeRates::soft),
          rates(policy, points, OutcomeRates::shadowRefused),
          rates(policy, points, OutcomeRates::degraded));
    }

    private static List<Double> rates(
        String policy, List<OutcomesPoint> points, ToDoubleFunction<OutcomeRates> rate) {
      return points.stream()
          .map(each -> each.policies().getOrDefault(policy, OutcomeRates.NONE))
          .map(each -> RoundedNumber.thousandths(rate.applyAsDouble(each)))
          .toList();
    }
  }

  static RecentOutcomesDocument of(List<OutcomesPoint> points) {
    return new RecentOutcomesDocument(
        points.stream().map(Moment::of).toList(),
        busiest(points).stream().map(each -> OfPolicy.of(each, points)).toList());
  }

  private static List<String> busiest(List<OutcomesPoint> points) {
    Map<String, Double> decisions = new HashMap<>();
    for (OutcomesPoint point : points) {
      point
          .policies()
          .forEach((policy, rates) -> decisions.merge(policy, rates.decisions(), Double::sum));
    }
    return decisions.entrySet().stream()
        .sorted(
            Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MAX_POLICIES)
        .map(Map.Entry::getKey)
        .toList();
  }
}
