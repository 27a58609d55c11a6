package io.weir.inprocess;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.algorithm.BucketState;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * The place of one bucket. Its monitor guards the state; nothing that waits runs inside.
 *
 * <p>Where time changes nothing for a while, the second who takes by the same capacity opens a
 * {@link Till}, and the next ones need no monitor: there two threads would wait for each other
 * longer than the arithmetic takes. A bucket that is asked now and then has none.
 *
 * <p>Once sealed, a cell is no longer in the map and never will be: who meets one looks again.
 *
 * <p>Safe for concurrent use.
 */
final class Cell {
  private final BucketState state;
  private volatile @Nullable Till till;
  private long steadyUntil = Long.MIN_VALUE;
  private long capacity;
  private boolean sealed;

  Cell(BucketState state) {
    this.state = state;
  }

  /** Admits a request without the monitor; null if that isn't possible. */
  @Nullable Decision decide(Offer offer, Key key, long now) {
    Till open = till;
    return open == null ? null : open.decide(offer, key, now);
  }

  /** Whether it could admit a request so, unless another is faster. */
  boolean wouldAdmit(Offer offer, long now) {
    Till open = till;
    return open != null && open.wouldAdmit(offer, now);
  }

  /** Executes a claim; null if this is sealed. */
  synchronized @Nullable Grant step(Claim claim, long now) {
    if (sealed) {
      return null;
    }
    closeTill(claim.bucket());
    Grant grant = state.step(claim, now);
    if (claim.needed() > 0 && grant.left() > 0 && grant.permits() > 0) {
      openTill(claim, grant);
    }
    return grant;
  }

  private void closeTill(Bucket bucket) {
    Till open = till;
    if (open != null) {
      till = null;
      state.step(open.close(bucket), state.last());
    }
  }

  private void openTill(Claim claim, Grant grant) {
    long until = state.steadyUntil();
    if (until == steadyUntil && claim.capacity() == capacity) {
      till = new Till(claim, grant, state.last(), until);
    }
    steadyUntil = until;
    capacity = claim.capacity();
  }

  /** Seals this if the bucket equals a fresh one; false if it doesn't, or was sealed before. */
  synchronized boolean drop(Bucket bucket, long now) {
    if (sealed) {
      return false;
    }
    closeTill(bucket);
    sealed = state.freshAt() <= now;
    return sealed;
  }
}
