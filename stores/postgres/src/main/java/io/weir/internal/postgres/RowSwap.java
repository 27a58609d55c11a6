package io.weir.internal.postgres;

import org.jspecify.annotations.Nullable;

/**
 * A row to be replaced if it is still what a node knows, or only to be compared with that.
 *
 * @param key the row's key
 * @param before what the node knows
 * @param after what replaces it; null if it isn't to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RowSwap(byte[] key, BucketRow before, @Nullable BucketRow after) {}
