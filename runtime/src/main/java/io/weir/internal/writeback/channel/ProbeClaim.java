package io.weir.internal.writeback.channel;

import io.weir.store.Claim;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/** Peeks at the store to determine whether it answers again. */
final class ProbeClaim implements SentClaim {
  private final Claim peek;

  ProbeClaim(Claim peek) {
    this.peek = peek;
  }

  @Override
  public Claim claim() {
    return peek;
  }

  @Override
  public @Nullable ClaimSource answered(
      Grant grant, SentBatch batch, boolean late, AfterUnlock after) {
    return null;
  }

  @Override
  public @Nullable ClaimSource namedOtherWindow(SentBatch batch, boolean late, AfterUnlock after) {
    return null;
  }

  @Override
  public @Nullable ClaimSource unanswered(SentBatch batch, AfterUnlock after) {
    return null;
  }
}
