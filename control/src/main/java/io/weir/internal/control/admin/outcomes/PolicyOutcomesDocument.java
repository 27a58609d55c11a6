package io.weir.internal.control.admin.outcomes;

import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.Described;
import io.weir.rules.outcome.PolicyRates;
import java.util.Map;

/** Decisions of one policy per second, by outcome. */
record PolicyOutcomesDocument(
    @Described("Its name; * for all policies that a node had no room to count one by one")
        String policy,
    double admitted,
    double refused,
    double soft,
    double shadowRefused,
    double degraded) {
  static PolicyOutcomesDocument of(PolicyRates each) {
    Map<String, Object> members = JsonRecords.members(OutcomeRatesDocument.of(each.rates()));
    members.put("policy", each.policy());
    return JsonRecords.of(PolicyOutcomesDocument.class, members);
  }
}
