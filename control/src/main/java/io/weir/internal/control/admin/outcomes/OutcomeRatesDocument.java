package io.weir.internal.control.admin.outcomes;

import io.weir.internal.control.json.RoundedNumber;
import io.weir.internal.control.resource.Described;
import io.weir.rules.outcome.OutcomeRates;

/** Decisions of policies per second, by outcome. */
record OutcomeRatesDocument(
    @Described("Admitted within the limit, per second") double admitted,
    @Described("Refused, per second") double refused,
    @Described("Admitted beyond the limit by SOFT or ELASTIC, per second") double soft,
    @Described("Admitted only because the policy is in shadow mode, per second")
        double shadowRefused,
    @Described("Those of all these that were decided without the store, per second")
        double degraded) {
  static OutcomeRatesDocument of(OutcomeRates rates) {
    return new OutcomeRatesDocument(
        RoundedNumber.thousandths(rates.admitted()),
        RoundedNumber.thousandths(rates.refused()),
        RoundedNumber.thousandths(rates.soft()),
        RoundedNumber.thousandths(rates.shadowRefused()),
        RoundedNumber.thousandths(rates.degraded()));
  }
}
