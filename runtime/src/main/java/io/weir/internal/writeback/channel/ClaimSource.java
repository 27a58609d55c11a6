package io.weir.internal.writeback.channel;

import org.jspecify.annotations.Nullable;

/** Waits in the queue of a channel, and makes its claim when its turn comes. */
public interface ClaimSource {
  /**
   * Returns whether a request waits for the claim, unlike for debts and the like; called when the
   * source is queued.
   */
  default boolean isUrgent() {
    return false;
  }

  /**
   * Makes the claim, out of everything that has come up by now; null if there is nothing to claim
   * any more.
   *
   * @param now this node's time, read before the claim is sent
   */
  @Nullable SentClaim nextClaim(long now, AfterUnlock after);

  /**
   * Makes a claim that takes no permits, because none may be taken at the moment: it reports debts,
   * or only peeks; null if there is nothing to report.
   *
   * @param now this node's time, read before the claim is sent
   */
  default @Nullable SentClaim nextDebtClaim(long now, AfterUnlock after) {
    storeUnavailable(after);
    return null;
  }

  /** Handles that the store can't be asked: no claim of this source is sent. */
  void storeUnavailable(AfterUnlock after);
}
