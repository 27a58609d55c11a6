package io.weir.internal.control.admin.outcomes;

import io.weir.rules.outcome.OutcomeRates;
import java.time.Instant;
import java.util.Map;

/**
 * Holds what all nodes decided at a moment.
 *
 * @param at when it was summed up, by the database's clock
 * @param policies the rates of the busiest ones
 */
record OutcomesPoint(Instant at, OutcomeRates totals, Map<String, OutcomeRates> policies) {}
