package io.weir.internal.postgres;

import org.jspecify.annotations.Nullable;

/**
 * A row to be replaced if it is still what a node knows, or only to be compared with that.
 *
 * @param after what replaces it; null if it isn't to be changed
 * @param until the server's time, in microseconds, from which it isn't replaced any more: when the
 *     first slot that was charged ends
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RowSwap(byte[] key, BucketRow before, @Nullable BucketRow after, long until) {
  RowSwap(byte[] key, BucketRow before, @Nullable BucketRow after) {
    this(key, before, after, Long.MAX_VALUE);
  }
}
