package io.weir.internal.writeback;

import io.weir.store.Claim;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/** A claim on its way to the store, and who is told what came of it. */
interface InFlightClaim {
  Claim claim();

  /**
   * The store granted, perhaps after the time-out.
   *
   * @param grant what it granted
   * @param sent when the claim was made, and to which data
   * @param late whether {@link #unanswered} was called before
   * @param after what to do when no lock is held
   * @return who has something to ask again, or null
   */
  @Nullable ClaimSource answered(Grant grant, Sending sent, boolean late, AfterUnlock after);

  /**
   * The store may or may not have executed the claim.
   *
   * @param sent when the claim was made, and to which data
   * @param after what to do when no lock is held
   * @return who has something to ask again, or null
   */
  @Nullable ClaimSource unanswered(Sending sent, AfterUnlock after);
}
