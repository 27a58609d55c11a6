package io.weir.rules.usage;

/**
 * Sums up the requests of a user to all endpoints in a time.
 *
 * @param userId the user; {@code *} stands for all unknown callers
 * @param requests the number of decided requests, also refused ones
 * @param refused the number of refused requests
 * @param permits the permits of admitted requests
 */
public record UserUsage(String userId, long requests, long refused, long permits) {}
