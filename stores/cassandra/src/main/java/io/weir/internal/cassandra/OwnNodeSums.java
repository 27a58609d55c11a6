package io.weir.internal.cassandra;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds this node's charges to a bucket by slots, and the content of its rows.
 *
 * <p>No reader ever sees a row with less than was charged. A row holds more while a claim is under
 * way, and until the part that wasn't granted is written back.
 *
 * <p>Guard by a lock.
 */
final class OwnNodeSums {
  private final TreeMap<Long, Long> charged = new TreeMap<>();
  private final TreeMap<Long, Long> written = new TreeMap<>();
  private final TreeSet<Long> unsure = new TreeSet<>();
  private long raised;
  private long writtenRaised;
  private long forgottenAt;

  /** Returns the charges by slots; don't change them. */
  SortedMap<Long, Long> charges() {
    return charged;
  }

  /** Returns the amount by which this node has raised the bucket's count beyond the charges. */
  long raised() {
    return raised;
  }

  long charged(long slot) {
    return charged.getOrDefault(slot, 0L);
  }

  /** Returns the least that any reader sees in the row of a slot. */
  private long written(long slot) {
    return written.getOrDefault(slot, 0L);
  }

  /** Returns the slots whose rows aren't zero. */
  Collection<Long> slotsWritten() {
    return written.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Forgets slots before this one, which don't count at the time of the decision. */
  void dropBefore(long slot) {
    charged.headMap(slot).clear();
    written.headMap(slot).clear();
    unsure.headSet(slot).clear();
  }

  /**
   * Clears the charges after the bucket was forgotten, unless that is known, and returns whether it
   * wasn't. Rows written up to then no longer count.
   */
  boolean forget(long at) {
    if (at <= forgottenAt) {
      return false;
    }
    forgottenAt = at;
    forgetRows();
    return true;
  }

  /** Returns the time at which the bucket was forgotten last; 0 if it never was. */
  long forgottenAt() {
    return forgottenAt;
  }

  /**
   * Clears the charges. The rows no longer count, so the next charge has to be written first, even
   * if they hold it already.
   */
  void forgetRows() {
    charged.clear();
    raised = 0;
    written.replaceAll((slot, permits) -> 0L);
    unsure.addAll(written.keySet());
    writtenRaised = 0;
  }

  /** Returns whether the rows hold enough for a target to be charged. */
  boolean cover(Target target) {
    return target.raised() <= writtenRaised
        && target.charges().entrySet().stream()
            .allMatch(each -> each.getValue() <= written(each.getKey()));
  }

  /**
   * Returns the rows to write so that they hold exactly a target: sums by slots.
   *
   * @param firstSlot the first slot of the target; rows of earlier slots stay
   */
  SortedMap<Long, Long> difference(Target target, long firstSlot) {
    SortedMap<Long, Long> rows = new TreeMap<>();
    target
        .charges()
        .forEach(
            (slot, permits) -> {
              if (written(slot) != permits || unsure.contains(slot)) {
                rows.put(slot, permits);
              }
            });
    for (long slot : written.tailMap(firstSlot).keySet()) {
      if (!target.charges().containsKey(slot) && (written(slot) != 0 || unsure.contains(slot))) {
        rows.put(slot, 0L);
      }
    }
    return rows;
  }

  int size() {
    return charged.size() + written.size() + unsure.size();
  }

  /** Returns whether rows say another raise than this. */
  boolean isRaiseToBeWritten(Target target) {
    return target.raised() != writtenRaised;
  }

  /**
   * Notes that the rows hold these sums. A write may be answered after the bucket was forgotten, by
   * a mark with a later timestamp: others don't count it, so it is as if it hadn't been.
   *
   * @param timestamp that of the write
   */
  void wrote(SortedMap<Long, Long> rows, long newRaised, long timestamp) {
    if (timestamp <= forgottenAt) {
      return;
    }
    written.putAll(rows);
    unsure.removeAll(rows.keySet());
    writtenRaised = newRaised;
  }

  /** Notes that the rows hold these sums or the earlier ones. */
  void mayHaveWritten(SortedMap<Long, Long> rows) {
    rows.forEach((slot, permits) -> written.put(slot, Math.min(permits, written(slot))));
    unsure.addAll(rows.keySet());
  }

  /**
   * Charges a target.
   *
   * @param firstSlot the first slot of the target; charges to earlier slots stay
   */
  void charge(Target target, long firstSlot) {
    charged.tailMap(firstSlot).clear();
    target
        .charges()
        .forEach(
            (slot, permits) -> {
              if (permits > 0) {
                charged.put(slot, permits);
              }
            });
    raised = target.raised();
  }

  /**
   * Charges that are to hold afterwards.
   *
   * @param charges permits by slots
   * @param raised see {@link OwnNodeSums#raised()}
   */
  record Target(SortedMap<Long, Long> charges, long raised) {}
}
