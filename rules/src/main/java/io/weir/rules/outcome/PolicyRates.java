package io.weir.rules.outcome;

/**
 * Names a policy and the rates of its outcomes.
 *
 * @param policy its name; {@value HourlyOutcomes#OTHERS} for all policies together that a node had
 *     no room to count one by one
 * @param rates the rates
 */
public record PolicyRates(String policy, OutcomeRates rates) {}
