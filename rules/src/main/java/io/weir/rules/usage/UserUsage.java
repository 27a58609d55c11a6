package io.weir.rules.usage;

/**
 * What a user has used in a time, at all endpoints.
 *
 * @param userId the user; {@code *} stands for all that aren't known
 * @param requests how many requests were decided, refused ones too
 * @param refused how many of them were refused
 * @param permits what the admitted ones took
 */
public record UserUsage(String userId, long requests, long refused, long permits) {}
