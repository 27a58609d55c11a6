package io.weir.internal.writeback;

import io.weir.internal.writeback.channel.AfterUnlock;
import io.weir.internal.writeback.channel.ClaimSource;
import io.weir.internal.writeback.channel.SentBatch;
import io.weir.internal.writeback.channel.SentClaim;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store for the answer to a peek.
 *
 * <p>It is sent separately from the claims of its bucket, since its effective limit may differ.
 */
final class PeekClaim implements ClaimSource, SentClaim {
  private final ActiveBucket active;
  private final Acquisition acquisition;
  private final int index;
  private int tries; // it is in one batch at a time

  PeekClaim(ActiveBucket active, Acquisition acquisition, int index) {
    this.active = active;
    this.acquisition = acquisition;
    this.index = index;
  }

  @Override
  public boolean isUrgent() {
    return true;
  }

  @Override
  public SentClaim nextClaim(long now, AfterUnlock after) {
    return this;
  }

  @Override
  public void storeUnavailable(AfterUnlock after) {
    after.add(() -> acquisition.answer(index, Optional.empty()));
  }

  @Override
  public Claim claim() {
    return acquisition.request(index).claim();
  }

  @Override
  public @Nullable ClaimSource answered(
      Grant grant, SentBatch batch, boolean late, AfterUnlock after) {
    if (!late && !batch.isDataCurrent()) {
      storeUnavailable(after);
    } else if (!late) {
      Grant answer = active.learnPeek(acquisition.request(index), grant);
      after.add(() -> acquisition.answer(index, Optional.of(answer)));
    }
    return null;
  }

  @Override
  public @Nullable ClaimSource namedOtherWindow(SentBatch batch, boolean late, AfterUnlock after) {
    if (late) {
      return null;
    }
    tries++;
    if (tries < WaitQueue.MAX_TRIES) {
      return this;
    }
    storeUnavailable(after);
    return null;
  }

  @Override
  public @Nullable ClaimSource unanswered(SentBatch batch, AfterUnlock after) {
    storeUnavailable(after);
    return null;
  }
}
