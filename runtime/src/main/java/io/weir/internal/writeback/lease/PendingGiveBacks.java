package io.weir.internal.writeback.lease;

import io.weir.store.GiveBack;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects permits to give back to the store, by the slots that they were charged to. Of the last
 * {@value #SLOTS}, as many as a window has: requests that don't count in the end, as right logins
 * where failures are counted, may take long, and so come back of many slots at once. In a bucket
 * that a success clears each grant has a slot of its own, and all are kept. For far leases, and for
 * such buckets, it also has the permits that were spent.
 *
 * <p>Permits taken out to be sent are never added again: the store would count them twice.
 *
 * <p>Confine to one thread.
 */
final class PendingGiveBacks {
  /** The maximum that one claim takes along: as many as each store executes. */
  private static final int MOST = 200;

  private static final int SLOTS = 64;

  private final @Nullable Map<Long, GiveBack> all;
  private List<GiveBack> slots = List.of(); // the oldest first

  PendingGiveBacks() {
    this(false);
  }

  /** Makes one that has all slots, or only the last ones. */
  PendingGiveBacks(boolean hasAll) {
    this.all = hasAll ? new LinkedHashMap<>() : null;
  }

  /** Loses permits of the oldest slot if there are too many, unless it has all slots. */
  void add(long stamp, long permits) {
    add(stamp, permits, 0);
  }

  /** Adds permits to give back, and others that were spent. */
  void add(long stamp, long permits, long spent) {
    if (permits + spent <= 0) {
      return;
    }
    GiveBack added = new GiveBack(stamp, permits, spent);
    if (all != null) {
      all.merge(stamp, added, PendingGiveBacks::together);
      return;
    }
    int at = slots.size();
    while (at > 0 && slots.get(at - 1).stamp() > stamp) {
      at--;
    }
    if (at > 0 && slots.get(at - 1).stamp() == stamp) {
      slots.set(at - 1, together(slots.get(at - 1), added));
    } else {
      insert(at, added);
    }
  }

  private void insert(int at, GiveBack added) {
    if (slots.isEmpty()) {
      slots = new ArrayList<>(2);
    }
    slots.add(at, added);
    if (slots.size() > SLOTS) {
      slots.remove(0);
    }
  }

  private static GiveBack together(GiveBack one, GiveBack other) {
    return new GiveBack(one.stamp(), one.permits() + other.permits(), one.spent() + other.spent());
  }

  boolean isEmpty() {
    return slots.isEmpty() && (all == null || all.isEmpty());
  }

  /** Takes out all of them, or as many as one claim takes along, to be sent once. */
  List<GiveBack> take() {
    if (all != null) {
      List<GiveBack> first = all.values().stream().limit(MOST).toList();
      all.values().removeAll(first);
      return first;
    }
    List<GiveBack> taken = slots;
    slots = List.of();
    return taken;
  }
}
