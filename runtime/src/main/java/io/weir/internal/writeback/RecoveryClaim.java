package io.weir.internal.writeback;

import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * Tells the store again what it has charged to this node of a bucket that nobody uses here at the
 * moment. Told until it is answered, unless the bucket comes into use, which then tells it itself.
 *
 * <p>Safe for concurrent use.
 */
final class RecoveryClaim implements ClaimSource, InFlightClaim {
  private final CachedBucket place;
  private final DataLossRecovery recount;
  private volatile long permits;

  RecoveryClaim(CachedBucket place, DataLossRecovery recount) {
    this.place = place;
    this.recount = recount;
  }

  BucketId bucket() {
    return place.bucket();
  }

  @Override
  public @Nullable InFlightClaim depart(long now, AfterUnlock after) {
    return tell(now, after);
  }

  @Override
  public @Nullable InFlightClaim tell(long now, AfterUnlock after) {
    permits = place.tells(now);
    return permits == 0 ? null : this;
  }

  @Override
  public void stay(AfterUnlock after) {
    recount.later(this);
  }

  @Override
  public Claim claim() {
    BucketTerms terms = recount.terms(bucket().spec());
    long debt = Math.min(permits, terms.burst());
    return Claim.builder(bucket(), terms.effectiveLimit(), terms.burst()).debt(debt).build();
  }

  @Override
  public @Nullable ClaimSource answered(
      Grant grant, Sending sent, boolean late, AfterUnlock after) {
    return late || sent.stands() ? null : unanswered(sent, after);
  }

  @Override
  public @Nullable ClaimSource unanswered(Sending sent, AfterUnlock after) {
    // Of data that is gone as well all is told anew.
    if (sent.stands() && place.untold(sent.at())) {
      recount.later(this);
    }
    return null;
  }
}
