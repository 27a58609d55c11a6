package io.weir.internal.writeback.lease;

import io.weir.store.GiveBack;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects permits to give back to the store, by the slots that they were charged to. Only the last
 * two slots: the store hardly counts older ones any more. For far leases it also has the permits
 * that were spent.
 *
 * <p>Permits taken out to be sent are never added again: the store would count them twice.
 *
 * <p>Confine to one thread.
 */
final class PendingGiveBacks {
  private @Nullable GiveBack older;
  private @Nullable GiveBack newer;

  /** Adds permits; those of a third, oldest slot are lost. */
  void add(long stamp, long permits) {
    add(stamp, permits, 0);
  }

  /** Adds permits to give back, and others that were spent. */
  void add(long stamp, long permits, long spent) {
    if (permits + spent <= 0) {
      return;
    }
    GiveBack added = new GiveBack(stamp, permits, spent);
    if (newer == null || stamp > newer.stamp()) {
      older = newer;
      newer = added;
    } else if (stamp == newer.stamp()) {
      newer = together(newer, added);
    } else if (older == null || stamp > older.stamp()) {
      older = added;
    } else if (stamp == older.stamp()) {
      older = together(older, added);
    }
  }

  private static GiveBack together(GiveBack one, GiveBack other) {
    return new GiveBack(one.stamp(), one.permits() + other.permits(), one.spent() + other.spent());
  }

  boolean isEmpty() {
    return newer == null;
  }

  /** Takes out all of them, to be sent once. */
  List<GiveBack> take() {
    GiveBack first = older;
    GiveBack second = newer;
    older = null;
    newer = null;
    if (second == null) {
      return List.of();
    }
    return first == null ? List.of(second) : List.of(first, second);
  }
}
