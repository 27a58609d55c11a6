package io.weir.writeback;

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
record Probe(Claim claim) implements Flight {
  @Override
  public @Nullable Asker answered(Grant grant, Sending sent, boolean late, Afterwards after) {
    return null;
  }

  @Override
  public @Nullable Asker unanswered(Sending sent, Afterwards after) {
    return null;
  }
}
