package io.weir.internal.writeback.channel;

import org.jspecify.annotations.Nullable;

/** Waits in the queue of a channel, and makes its claim when its turn comes. */
public interface ClaimSource {
  /**
   * Returns whether a request waits for the claim; called when the source is queued.
   *
   * @return false for debts and the like, which may wait
   */
  default boolean isUrgent() {
    return false;
  }

  /**
   * Makes the claim, out of everything that has come up by now.
   *
   * @param now this node's time, read before the claim is sent
   * @param after takes callbacks that must run without a lock
   * @return the claim, or null if there is nothing to claim any more
   */
  @Nullable SentClaim nextClaim(long now, AfterUnlock after);

  /**
   * Makes a claim that takes no permits, because none may be taken at the moment: it reports debts,
   * or only peeks.
   *
   * @param now this node's time, read before the claim is sent
   * @param after takes callbacks that must run without a lock
   * @return the claim, or null if there is nothing to report
   */
  default @Nullable SentClaim nextDebtClaim(long now, AfterUnlock after) {
    storeUnavailable(after);
    return null;
  }

  /**
   * Handles that the store can't be asked: no claim of this source is sent.
   *
   * @param after takes callbacks that must run without a lock
   */
  void storeUnavailable(AfterUnlock after);
}
