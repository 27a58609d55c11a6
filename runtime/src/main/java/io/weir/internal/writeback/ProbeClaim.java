package io.weir.internal.writeback;

import io.weir.store.Claim;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * A claim that only finds out whether the store answers again.
 *
 * <p>Immutable.
 *
 * @param claim takes nothing
 */
record ProbeClaim(Claim claim) implements InFlightClaim {
  @Override
  public @Nullable ClaimSource answered(
      Grant grant, Sending sent, boolean late, AfterUnlock after) {
    return null;
  }

  @Override
  public @Nullable ClaimSource unanswered(Sending sent, AfterUnlock after) {
    return null;
  }
}
