package io.weir.internal.rules.usage;

/**
 * What was asked of one endpoint in one minute, or in a part of it. Immutable.
 *
 * @param requests all requests
 * @param refused those of them that were refused
 * @param permits what the others took
 */
public record MinuteSums(long requests, long refused, long permits) {}
