package io.weir.internal.inprocess;

import io.weir.store.BucketId;
import io.weir.store.LiveBucket;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the buckets that have a slot of their own, up to a maximum. A slot is freed only when its
 * bucket equals a fresh one: a hand goes round, as in the clock algorithm, and checks a few slots
 * at a time.
 *
 * <p>Safe for concurrent use.
 */
final class BucketSlots {
  /** Microseconds: as much later a bucket may be dropped whose permits were given back. */
  private static final long LONGEST_REST = 1_000_000;

  private final ConcurrentHashMap<BucketId, BucketSlot> slots = new ConcurrentHashMap<>();
  private final int most;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicBoolean sweeping = new AtomicBoolean();

  /** Guarded by sweeping. */
  private Iterator<Map.Entry<BucketId, BucketSlot>> hand = slots.entrySet().iterator();

  /** Guarded by sweeping: until when none of the slots of this round can be freed. */
  private long heldUntil = Long.MIN_VALUE;

  /** Whether the hand may have missed a bucket in this round. */
  private volatile boolean filled;

  /** Before this time a sweep would find nothing: rounds over full slots cost much. */
  private volatile long nothingBefore = Long.MIN_VALUE;

  BucketSlots(int most) {
    this.most = most;
  }

  @Nullable BucketSlot find(BucketId bucket) {
    return slots.get(bucket.inStore());
  }

  boolean holds(BucketId bucket) {
    return slots.containsKey(bucket.inStore());
  }

  long size() {
    return slots.mappingCount();
  }

  /** Reserves a slot; false if all are taken. */
  boolean reserve() {
    // Reads it first, so that requests beyond the maximum write nothing that all threads share.
    return taken.get() < most && taken.getAndUpdate(now -> Math.min(now + 1, most)) < most;
  }

  /** Fills a slot that was reserved. The bucket must have none. */
  void fill(BucketId bucket, LiveBucket state) {
    slots.put(bucket.inStore(), new BucketSlot(state));
    filled = true;
    nothingBefore = Long.MIN_VALUE;
  }

  /** Frees a slot that was reserved and not filled. */
  void free() {
    taken.decrementAndGet();
  }

  /** Checks this many slots and frees those of buckets that equal fresh ones. */
  void sweep(int most, long now) {
    if (now < nothingBefore || !sweeping.compareAndSet(false, true)) {
      return;
    }
    try {
      int checks = (int) Math.min(most, slots.mappingCount());
      for (int i = 0; i < checks && moveHand(now); i++) {
        Map.Entry<BucketId, BucketSlot> entry = hand.next();
        heldUntil = Math.min(heldUntil, drop(entry.getKey(), entry.getValue(), now));
      }
    } finally {
      sweeping.set(false);
    }
  }

  void forget(BucketId any) {
    BucketId bucket = any.inStore();
    BucketSlot slot = slots.get(bucket);
    if (slot != null) {
      synchronized (slot) { // as in drop
        if (slot.seal(bucket)) {
          slots.remove(bucket, slot);
          free();
        }
      }
    }
  }

  void clear() {
    slots.clear();
  }

  private boolean moveHand(long now) {
    if (!hand.hasNext()) {
      if (!filled) {
        nothingBefore = Math.min(heldUntil, now + LONGEST_REST);
      }
      heldUntil = Long.MAX_VALUE;
      filled = false;
      hand = slots.entrySet().iterator();
    }
    return hand.hasNext();
  }

  /** Returns until when it can't be freed; a time in the past if it was. */
  private long drop(BucketId bucket, BucketSlot slot, long now) {
    synchronized (slot) { // no thread finds one that is sealed and still here
      if (slot.drop(bucket, now)) {
        slots.remove(bucket, slot);
        free();
        return now;
      }
      return slot.expiresAt();
    }
  }
}
