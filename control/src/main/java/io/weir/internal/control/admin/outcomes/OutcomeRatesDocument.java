package io.weir.internal.control.admin.outcomes;

import io.weir.internal.control.json.RoundedNumber;
import io.weir.internal.control.resource.Described;
import io.weir.rules.outcome.OutcomeRates;

/** Decisions of policies per second, by outcome. */
record OutcomeRatesDocument(
    @Described("Admitted within the limit, a second") double admitted,
    @Described("Refused, a second") double refused,
    @Described("Admitted beyond the limit by SOFT or ELASTIC, a second") double soft,
    @Described("Admitted only because the policy is in shadow mode, a second") double shadowRefused,
    @Described("Of all of these, those decided without the store, a second") double degraded) {
  static OutcomeRatesDocument of(OutcomeRates rates) {
    return new OutcomeRatesDocument(
        RoundedNumber.thousandths(rates.admitted()),
        RoundedNumber.thousandths(rates.refused()),
        RoundedNumber.thousandths(rates.soft()),
        RoundedNumber.thousandths(rates.shadowRefused()),
        RoundedNumber.thousandths(rates.degraded()));
  }
}
