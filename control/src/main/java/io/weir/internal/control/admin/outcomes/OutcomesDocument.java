package io.weir.internal.control.admin.outcomes;

import io.weir.internal.control.json.RoundedNumber;
import io.weir.internal.control.resource.Described;
import io.weir.rules.outcome.CurrentOutcomes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sums up the present decisions of all nodes by policy. */
public record OutcomesDocument(
    @Described("When it was summed up, by the database's clock") Instant at,
    @Described("Nodes that have reported within the last 15 seconds: those in the sums") int nodes,
    @Described("Nodes that have reported within the last minute, but not the last 15 seconds")
        int silentNodes,
    @Described("The age of the oldest report in the sums; 0 without nodes") double oldestSeconds,
    @Described("Whether the sums have all policies of all nodes") boolean complete,
    @Described("Of all policies: a request that two policies decide counts twice")
        OutcomeRatesDocument totals,
    @Described("Policies that decided something, busiest first")
        List<PolicyOutcomesDocument> policies,
    @Described("The parts that are missing, in words for people; null if there are none")
        @Nullable String note) {
  public OutcomesDocument {
    policies = List.copyOf(policies);
  }

  public static OutcomesDocument of(CurrentOutcomes outcomes) {
    return new OutcomesDocument(
        outcomes.at(),
        outcomes.nodes(),
        outcomes.silentNodes(),
        RoundedNumber.thousandths(outcomes.oldest().toMillis() / 1_000.0),
        outcomes.isComplete(),
        OutcomeRatesDocument.of(outcomes.totals()),
        outcomes.policies().stream().map(PolicyOutcomesDocument::of).toList(),
        outcomes.note().orElse(null));
  }
}
