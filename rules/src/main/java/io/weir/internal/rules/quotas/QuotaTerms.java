package io.weir.internal.rules.quotas;

/**
 * Holds limit and rollover of the users of a rule that have none of their own.
 *
 * @param limit permits of each period, 1 to 1,000,000,000
 * @param maxRollover the most permits that come over to the next period
 */
public record QuotaTerms(long limit, long maxRollover) {}
