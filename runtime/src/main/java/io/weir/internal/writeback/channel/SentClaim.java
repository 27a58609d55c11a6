package io.weir.internal.writeback.channel;

import io.weir.store.Claim;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/** Handles the outcome of a claim that was sent to the store. */
public interface SentClaim {
  Claim claim();

  /**
   * Handles the answer, which may come after the time-out.
   *
   * @param late whether {@link #unanswered} was called before
   * @return a source that has something to claim again, or null
   */
  @Nullable ClaimSource answered(Grant grant, SentBatch batch, boolean late, AfterUnlock after);

  /**
   * Handles that the store executed nothing, because the claim named a window of the calendar that
   * isn't running by the store's clock. The next claim names the right one.
   *
   * @param late whether {@link #unanswered} was called before
   * @return a source that has something to claim again, or null
   */
  @Nullable ClaimSource namedOtherWindow(SentBatch batch, boolean late, AfterUnlock after);

  /**
   * Handles that no answer came in time: the store may or may not have executed the claim.
   *
   * @return a source that has something to claim again, or null
   */
  @Nullable ClaimSource unanswered(SentBatch batch, AfterUnlock after);
}
