package io.weir.internal.writeback;

import io.weir.store.Claim;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * A claim of an entry on its way.
 *
 * <p>Immutable.
 *
 * @param entry whose it is
 * @param claim what was asked
 * @param number which of the entry's claims it is
 * @param bill what of its debts it carries
 */
record BucketClaim(ActiveBucket entry, Claim claim, long number, SentDebts bill)
    implements InFlightClaim {

  @Override
  public @Nullable ClaimSource answered(
      Grant grant, Sending sent, boolean late, AfterUnlock after) {
    return entry.landed(this, grant, sent, late, after) ? entry : null;
  }

  @Override
  public @Nullable ClaimSource unanswered(Sending sent, AfterUnlock after) {
    return entry.lost(this, sent, after) ? entry : null;
  }
}
