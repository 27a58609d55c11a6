package io.weir.internal.cassandra;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What this node has charged to a bucket, by slots, and what its rows say.
 *
 * <p>A row never says less than was charged, as far as anybody can read it. It says more while a
 * claim is under way, and until what the claim didn't get is written back.
 *
 * <p>Guard by a lock.
 */
final class OwnSums {
  private final TreeMap<Long, Long> charged = new TreeMap<>();
  private final TreeMap<Long, Long> written = new TreeMap<>();
  private final TreeSet<Long> unsure = new TreeSet<>();
  private long raised;
  private long writtenRaised;

  /** What is charged, by slots; not to be changed. */
  SortedMap<Long, Long> charges() {
    return charged;
  }

  /** By how much this node has raised the count of the bucket, beyond what was charged. */
  long raised() {
    return raised;
  }

  /** What is charged to a slot. */
  long charged(long slot) {
    return charged.getOrDefault(slot, 0L);
  }

  /** What the row of a slot says at least, wherever it is read. */
  private long written(long slot) {
    return written.getOrDefault(slot, 0L);
  }

  /** Slots whose rows say more than nothing. */
  Collection<Long> slotsWritten() {
    return written.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Forgets slots before this one, which don't count at the time that was decided by. */
  void dropBefore(long slot) {
    charged.headMap(slot).clear();
    written.headMap(slot).clear();
    unsure.headSet(slot).clear();
  }

  /**
   * Nothing is charged any more, and what the rows say doesn't count: whatever is charged next has
   * to be written first, also if it is what they say already.
   */
  void forget() {
    charged.clear();
    raised = 0;
    written.replaceAll((slot, permits) -> 0L);
    unsure.addAll(written.keySet());
    writtenRaised = 0;
  }

  /** Whether the rows say enough for all of this to be charged. */
  boolean cover(Target target) {
    return target.raised() <= writtenRaised
        && target.charges().entrySet().stream()
            .allMatch(each -> each.getValue() <= written(each.getKey()));
  }

  /**
   * What is to be written for the rows to say just this: slots with what each is to say.
   *
   * @param firstSlot the first slot that the target is about; rows of earlier ones stay
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

  /** How many entries are kept. */
  int size() {
    return charged.size() + written.size() + unsure.size();
  }

  /** Whether rows say another raise than this. */
  boolean isRaiseToBeWritten(Target target) {
    return target.raised() != writtenRaised;
  }

  /** Rows say this from now on. */
  void wrote(SortedMap<Long, Long> rows, long newRaised) {
    written.putAll(rows);
    unsure.removeAll(rows.keySet());
    writtenRaised = newRaised;
  }

  /** Rows say what they said before, or this. */
  void mayHaveWritten(SortedMap<Long, Long> rows) {
    rows.forEach((slot, permits) -> written.put(slot, Math.min(permits, written(slot))));
    unsure.addAll(rows.keySet());
  }

  /** This is charged from now on. */
  void charge(Target target) {
    charged.clear();
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
   * What is to be charged.
   *
   * @param charges permits by slots
   * @param raised see {@link OwnSums#raised()}
   */
  record Target(SortedMap<Long, Long> charges, long raised) {}
}
