package io.weir.internal.writeback;

import io.weir.store.BucketSpec;
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
final class DataLossRecovery {
  private final LeasingStore store;
  private final BucketCache entries;
  private final NodeClock clock;
  private final OvershootShares shares;
  private final Queue<RecoveryClaim> unsent = new ConcurrentLinkedQueue<>();

  DataLossRecovery(
      LeasingStore store, BucketCache entries, NodeClock clock, OvershootShares shares) {
    this.store = store;
    this.entries = entries;
    this.clock = clock;
    this.shares = shares;
  }

  /** Has all buckets of a lane told that have something to tell. */
  void all(Channel lane) {
    long now = clock.micros();
    shares.forget(now); // who has which share is lost as well
    unsent.clear();
    entries.forEach(place -> recount(place, lane, now, true));
    entries.forEach(place -> recount(place, lane, now, false));
    lane.pump();
  }

  private void recount(CachedBucket place, Channel lane, long now, boolean inUse) {
    try {
      if (place.entry() != null == inUse && store.partition(place.bucket()) == lane.era().lane()) {
        place.recount(this, lane, now);
      }
    } catch (RuntimeException | Error mistake) { // of one bucket, not of all
      lane.report(mistake);
    }
  }

  /** What is in force for buckets of a kind, as far as one of them was in use lately. */
  BucketTerms terms(BucketSpec spec) {
    return entries.terms(spec);
  }

  /** Keeps a reminder that couldn't be sent for the next flush. */
  void later(RecoveryClaim reminder) {
    unsent.add(reminder);
  }

  /** Queues what couldn't be sent. */
  void again(Channels lanes) {
    for (int i = unsent.size(); i > 0; i--) {
      RecoveryClaim reminder = unsent.poll();
      if (reminder != null) {
        lanes.of(reminder.bucket()).requestTerms(reminder);
      }
    }
  }
}
