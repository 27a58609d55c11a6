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
 * The buckets that have a place of their own, at most so many. A place is freed only when its
 * bucket equals a fresh one: a hand goes round like that of a clock and looks at a few places at a
 * time.
 *
 * <p>Safe for concurrent use.
 */
final class BucketSlots {
  private final ConcurrentHashMap<BucketId, BucketSlot> slots = new ConcurrentHashMap<>();
  private final int most;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicBoolean sweeping = new AtomicBoolean();

  /** Guarded by sweeping. */
  private Iterator<Map.Entry<BucketId, BucketSlot>> hand = slots.entrySet().iterator();

  BucketSlots(int most) {
    this.most = most;
  }

  @Nullable BucketSlot find(BucketId bucket) {
    return slots.get(bucket);
  }

  boolean holds(BucketId bucket) {
    return slots.containsKey(bucket);
  }

  long size() {
    return slots.mappingCount();
  }

  /** Reserves a place; false if all are taken. */
  boolean reserve() {
    while (true) {
      int now = taken.get();
      if (now >= most) {
        return false;
      }
      if (taken.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  /** Fills a place that was reserved. The bucket must have none. */
  void fill(BucketId bucket, LiveBucket state) {
    slots.put(bucket, new BucketSlot(state));
  }

  /** Frees a place that was reserved and not filled. */
  void free() {
    taken.decrementAndGet();
  }

  /** Looks at so many places and frees those of buckets that equal fresh ones. */
  void sweep(int places, long now) {
    if (!sweeping.compareAndSet(false, true)) {
      return;
    }
    try {
      int looks = (int) Math.min(places, slots.mappingCount());
      for (int i = 0; i < looks && moveHand(); i++) {
        Map.Entry<BucketId, BucketSlot> place = hand.next();
        drop(place.getKey(), place.getValue(), now);
      }
    } finally {
      sweeping.set(false);
    }
  }

  void forget(BucketId bucket) {
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

  private boolean moveHand() {
    if (!hand.hasNext()) {
      hand = slots.entrySet().iterator();
    }
    return hand.hasNext();
  }

  private void drop(BucketId bucket, BucketSlot slot, long now) {
    synchronized (slot) { // nobody meets one that is sealed and still here
      if (slot.drop(bucket, now)) {
        slots.remove(bucket, slot);
        free();
      }
    }
  }
}
