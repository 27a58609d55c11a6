package io.weir.store;

/**
 * What a {@link GcraRequest} met. Immutable.
 *
 * @param limited whether it was refused
 * @param remaining how many cells may come now
 * @param retryMicros in how many microseconds as many may come as were refused, rounded up; -1 if
 *     it wasn't refused, or asked for more than ever may come at once
 * @param resetMicros in how many microseconds the bucket is as if nobody had used it, rounded up
 */
public record GcraReply(boolean limited, long remaining, long retryMicros, long resetMicros) {}
