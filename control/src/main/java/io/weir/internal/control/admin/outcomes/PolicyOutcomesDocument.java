package io.weir.internal.control.admin.outcomes;

import io.weir.internal.control.resource.Described;
import io.weir.rules.outcome.PolicyRates;

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
    OutcomeRatesDocument rates = OutcomeRatesDocument.of(each.rates());
    return new PolicyOutcomesDocument(
        each.policy(),
        rates.admitted(),
        rates.refused(),
        rates.soft(),
        rates.shadowRefused(),
        rates.degraded());
  }
}
