package io.weir.internal.writeback;

import io.weir.internal.writeback.channel.ClaimSource;
import io.weir.store.BucketId;

/** A bucket that each flush visits until it leaves. */
interface FlushableBucket extends ClaimSource {
  /** The result of a visit. */
  enum FlushResult {
    /** To be queued in its channel, and to be visited again. */
    CLAIM,
    /** To be visited again. */
    STAY,
    /** Not to be visited again. */
    LEAVE
  }

  BucketId bucket();

  /** Tops up, gives back, and determines whether the bucket comes to rest. */
  FlushResult flush(long now);

  /** Returns whether there was a request in the interval that the last flush ended. */
  boolean wasUsed();

  boolean isGone();
}
