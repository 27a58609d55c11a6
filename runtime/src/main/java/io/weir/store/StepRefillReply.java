package io.weir.store;

/**
 * What a {@link StepRefillRequest} met. Immutable.
 *
 * @param tokens how many were in the bucket before the take, which was granted if they were enough
 * @param sessionStart when the last take was granted, in milliseconds since the epoch, this one
 *     included; the time of the request if none ever was. Refused takes so share the time of the
 *     one that they follow
 */
public record StepRefillReply(long tokens, long sessionStart) {}
