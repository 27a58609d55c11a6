package io.weir.internal.writeback.lease;

import io.weir.store.GiveBack;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects permits to give back to the store, by the slots that they were charged to. Only the last
 * two slots: the store hardly counts older ones any more. But in a bucket that a success clears
 * each grant has a slot of its own, and many count at once. For far leases, and for such buckets,
 * it also has the permits that were spent.
 *
 * <p>Permits taken out to be sent are never added again: the store would count them twice.
 *
 * <p>Confine to one thread.
 */
final class PendingGiveBacks {
  /** The maximum that one claim takes along: as many as each store executes. */
  private static final int MOST = 200;

  private final @Nullable Map<Long, GiveBack> others;
  private @Nullable GiveBack older;
  private @Nullable GiveBack newer;

  PendingGiveBacks() {
    this(false);
  }

  /** Makes one that has all slots, or only the last two. */
  PendingGiveBacks(boolean hasAll) {
    this.others = hasAll ? new LinkedHashMap<>() : null;
  }

  /** Loses permits of a third, oldest slot, unless it has all slots. */
  void add(long stamp, long permits) {
    add(stamp, permits, 0);
  }

  /** Adds permits to give back, and others that were spent. */
  void add(long stamp, long permits, long spent) {
    if (permits + spent <= 0) {
      return;
    }
    GiveBack added = new GiveBack(stamp, permits, spent);
    if (others != null) {
      others.merge(stamp, added, PendingGiveBacks::together);
      return;
    }
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
    return newer == null && (others == null || others.isEmpty());
  }

  /** Takes out all of them, or as many as one claim takes along, to be sent once. */
  List<GiveBack> take() {
    if (others != null) {
      List<GiveBack> first = others.values().stream().limit(MOST).toList();
      others.values().removeAll(first);
      return first;
    }
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
