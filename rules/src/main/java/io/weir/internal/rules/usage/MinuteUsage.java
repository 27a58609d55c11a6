package io.weir.internal.rules.usage;

/**
 * Sums up requests of one user to one endpoint in one minute, or in a part of it. Immutable.
 *
 * @param refused how many of them were refused
 * @param permits the permits that the others took
 */
public record MinuteUsage(long requests, long refused, long permits) {}
