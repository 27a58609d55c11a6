package io.weir.writeback;

import io.weir.Shape;
import io.weir.store.LeasingStore;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Has the buckets of a lane tell its store again what it charged to this node, when it has lost
 * that: those in use first, since they tell by their next claim; and those at rest, without being
 * brought into use.
 *
 * <p>Safe for concurrent use.
 */
final class Recount {
  private final LeasingStore store;
  private final Entries entries;
  private final NodeClock clock;
  private final Shares shares;
  private final Queue<Reminder> unsent = new ConcurrentLinkedQueue<>();

  Recount(LeasingStore store, Entries entries, NodeClock clock, Shares shares) {
    this.store = store;
    this.entries = entries;
    this.clock = clock;
    this.shares = shares;
  }

  /** Has all buckets of a lane told that have something to tell. */
  void all(Lane lane) {
    long now = clock.micros();
    shares.forget(now); // who has which share is lost as well
    unsent.clear();
    entries.forEach(place -> recount(place, lane, now, true));
    entries.forEach(place -> recount(place, lane, now, false));
    lane.pump();
  }

  private void recount(Place place, Lane lane, long now, boolean inUse) {
    try {
      if (place.entry() != null == inUse && store.lane(place.bucket()) == lane.era().lane()) {
        place.recount(this, lane, now);
      }
    } catch (RuntimeException | Error mistake) { // of one bucket, not of all
      lane.report(mistake);
    }
  }

  /** What is in force for buckets of a kind, as far as one of them was in use lately. */
  Terms terms(Shape shape) {
    return entries.terms(shape);
  }

  /** Keeps a reminder that couldn't be sent for the next flush. */
  void later(Reminder reminder) {
    unsent.add(reminder);
  }

  /** Queues what couldn't be sent. */
  void again(Lanes lanes) {
    for (int i = unsent.size(); i > 0; i--) {
      Reminder reminder = unsent.poll();
      if (reminder != null) {
        lanes.of(reminder.bucket()).offer(reminder);
      }
    }
  }
}
