package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A wish that only looks, and that this node doesn't know the answer to.
 *
 * <p>Goes to the store apart from what its bucket claims, since it may be about another capacity.
 */
final class PeekClaim implements ClaimSource, InFlightClaim {
  private final ActiveBucket entry;
  private final Acquisition taking;
  private final int index;

  PeekClaim(ActiveBucket entry, Acquisition taking, int index) {
    this.entry = entry;
    this.taking = taking;
    this.index = index;
  }

  @Override
  public boolean hurries() {
    return true;
  }

  @Override
  public InFlightClaim depart(long now, AfterUnlock after) {
    return this;
  }

  @Override
  public void stay(AfterUnlock after) {
    after.add(() -> taking.answer(index, Optional.empty()));
  }

  @Override
  public Claim claim() {
    BucketRequest wish = taking.wish(index);
    return Claim.peek(wish.bucket(), wish.permits(), wish.effectiveLimit(), wish.burst());
  }

  @Override
  public @Nullable ClaimSource answered(
      Grant grant, Sending sent, boolean late, AfterUnlock after) {
    if (!late && !sent.stands()) {
      stay(after);
    } else if (!late) {
      Grant answer = entry.looked(taking.wish(index), grant);
      after.add(() -> taking.answer(index, Optional.of(answer)));
    }
    return null;
  }

  @Override
  public @Nullable ClaimSource unanswered(Sending sent, AfterUnlock after) {
    stay(after);
    return null;
  }
}
