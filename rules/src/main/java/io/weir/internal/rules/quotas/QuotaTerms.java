package io.weir.internal.rules.quotas;

/**
 * What a rule gives each of its callers who have no quota of their own.
 *
 * @param limit permits of each period, 1 to 1,000,000,000
 * @param maxRollover how many of them at most come over to the next period
 */
public record QuotaTerms(long limit, long maxRollover) {}
