package io.weir.internal.writeback.channel;

import io.weir.store.Claim;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/** A claim on its way to the store. */
public interface InFlightClaim {
  Claim claim();

  /**
   * The store answered, perhaps after the time-out.
   *
   * @param grant its answer
   * @param batch what the claim was sent with
   * @param late whether {@link #unanswered} was called before
   * @param after takes callbacks that must run without a lock
   * @return a source that has something to claim again, or null
   */
  @Nullable ClaimSource answered(Grant grant, SentBatch batch, boolean late, AfterUnlock after);

  /**
   * The store executed nothing, since the claim named a window of the calendar that isn't running
   * by the store's clock. What is claimed next names the right one.
   *
   * @param batch what the claim was sent with
   * @param late whether {@link #unanswered} was called before
   * @param after takes callbacks that must run without a lock
   * @return a source that has something to claim again, or null
   */
  @Nullable ClaimSource namedOtherWindow(SentBatch batch, boolean late, AfterUnlock after);

  /**
   * No answer came in time: the store may or may not have executed the claim.
   *
   * @param batch what the claim was sent with
   * @param after takes callbacks that must run without a lock
   * @return a source that has something to claim again, or null
   */
  @Nullable ClaimSource unanswered(SentBatch batch, AfterUnlock after);
}
