package io.weir.store;

/**
 * The reply to a {@link GcraRequest}. Immutable.
 *
 * @param limited whether it was refused
 * @param remaining the cells that may come now
 * @param retryMicros microseconds until the refused cells may come, rounded up; -1 if none were
 *     refused, or more were requested than may ever come at once
 * @param resetMicros microseconds until the bucket equals an unused one, rounded up
 */
public record GcraReply(boolean limited, long remaining, long retryMicros, long resetMicros) {}
