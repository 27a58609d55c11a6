package io.weir.internal.writeback;

import org.jspecify.annotations.Nullable;

/** Something in a lane's queue that has a claim to make when its turn comes. */
interface ClaimSource {
  /**
   * Whether a request waits for it; asked when it is queued.
   *
   * @return false for what may be told a little later
   */
  default boolean hurries() {
    return false;
  }

  /**
   * Makes the claim, of all that has come together until now.
   *
   * @param now this node's time, read before the claim is sent
   * @param after what to do when no lock is held
   * @return the claim on its way, or null if there is nothing to ask any more
   */
  @Nullable InFlightClaim depart(long now, AfterUnlock after);

  /**
   * Makes a claim that takes nothing, since nothing is to be taken at the moment: it tells what is
   * owed, or only looks if somebody wants to know what is left.
   *
   * @param now this node's time, read before the claim is sent
   * @param after what to do when no lock is held
   * @return the claim on its way, or null if there is nothing to tell or to know
   */
  default @Nullable InFlightClaim tell(long now, AfterUnlock after) {
    stay(after);
    return null;
  }

  /**
   * The store is known to be away: nothing was sent and nothing will be.
   *
   * @param after what to do when no lock is held
   */
  void stay(AfterUnlock after);
}
