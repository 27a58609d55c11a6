package io.weir.store;

/**
 * The reply to a {@link StepRefillRequest}. Immutable.
 *
 * @param tokens tokens in the bucket before the take, which was granted if they sufficed
 * @param sessionStart when the last take was granted, this one included, in milliseconds since the
 *     epoch; the time of the request if none ever was. So refused takes have the time of the
 *     granted one before them
 */
public record StepRefillReply(long tokens, long sessionStart) {}
