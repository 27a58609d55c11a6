package io.weir.rules.usage;

/**
 * Sums up the requests of all callers of a tier in a time.
 *
 * @param tier the tier that they have now, by {@code user_tiers}; {@code *} stands for all unknown
 *     callers
 * @param users the number of known users with requests; 0 for {@code *}
 * @param requests the number of decided requests, also refused ones
 * @param refused the number of refused requests
 * @param permits the permits of admitted requests
 */
public record TierUsage(String tier, long users, long requests, long refused, long permits) {}
