package io.weir.internal.inprocess;

import io.weir.store.ExactArithmetic;
import io.weir.store.ExactBucketId;
import io.weir.store.ExactBuckets;
import io.weir.store.ExactRequest;
import io.weir.store.LiveExactBucket;
import io.weir.store.StoreFullException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the exactly counted buckets of this process. Answers at once.
 *
 * <p>A bucket is dropped only once it has expired: a hand goes round and checks a few now and then.
 * When all slots are taken by unexpired buckets, a request for another bucket fails: clients choose
 * the parameters, so there is no overflow bucket that such requests could share.
 *
 * <p>Invariant: a sealed slot is not in the map. A thread that finds one looks again.
 *
 * <p>Safe for concurrent use.
 */
final class InProcessExactBuckets implements ExactBuckets {
  private static final int SWEEP_MICROS = 10_000;
  private static final int SWEEP_CHECKS = 64;

  private final ConcurrentHashMap<ExactBucketId, Slot> slots = new ConcurrentHashMap<>();
  private final SteadyClock clock;
  private final int most;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicLong nextSweep = new AtomicLong();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private volatile boolean closed;

  /** Guarded by sweeping. */
  private Iterator<Map.Entry<ExactBucketId, Slot>> hand = slots.entrySet().iterator();

  InProcessExactBuckets(SteadyClock clock, int most) {
    this.clock = clock;
    this.most = most;
  }

  /** Holds one bucket. Its monitor guards it, and nothing that waits runs inside. */
  private static final class Slot {
    private LiveExactBucket bucket;
    private boolean sealed;

    Slot(LiveExactBucket bucket) {
      this.bucket = bucket;
    }

    /** Returns null if this is sealed. */
    synchronized <R> @Nullable R execute(ExactRequest<R> request, long now) {
      if (sealed) {
        return null;
      }
      if (bucket.expiresAt() <= now) {
        bucket = ExactArithmetic.fresh(request.bucket());
      }
      return bucket.execute(request, now);
    }

    synchronized boolean seal(long now) {
      boolean first = !sealed && bucket.expiresAt() <= now;
      sealed |= first;
      return first;
    }
  }

  @Override
  public <R> CompletionStage<R> execute(ExactRequest<R> request) {
    if (closed) {
      return CompletableFuture.failedFuture(new IllegalStateException("the store is closed"));
    }
    while (true) {
      long now = clock.micros();
      sweepNowAndThen(now);
      Slot slot = slots.get(request.bucket());
      R reply = slot == null ? executeFirst(request, now) : slot.execute(request, now);
      if (reply != null) {
        return CompletableFuture.completedFuture(reply);
      }
      if (slot == null && !slots.containsKey(request.bucket())) {
        return CompletableFuture.failedFuture(new StoreFullException());
      }
    }
  }

  /** Executes the first request of a bucket; null if it isn't the first, or all slots are taken. */
  private <R> @Nullable R executeFirst(ExactRequest<R> request, long now) {
    LiveExactBucket fresh = ExactArithmetic.fresh(request.bucket());
    R reply = fresh.execute(request, now);
    if (!fresh.isChanged()) {
      return reply;
    }
    if (!reserve()) {
      sweep(now);
      if (!reserve()) {
        return null;
      }
    }
    if (slots.putIfAbsent(request.bucket(), new Slot(fresh)) != null) {
      taken.decrementAndGet();
      return null;
    }
    return reply;
  }

  private boolean reserve() {
    // Reads it first, so that requests beyond the maximum write nothing that all threads share.
    return taken.get() < most && taken.getAndUpdate(now -> Math.min(now + 1, most)) < most;
  }

  private void sweepNowAndThen(long now) {
    long due = nextSweep.get();
    if (now >= due && nextSweep.compareAndSet(due, now + SWEEP_MICROS)) {
      sweep(now);
    }
  }

  private void sweep(long now) {
    if (!sweeping.compareAndSet(false, true)) {
      return;
    }
    try {
      long checks = Math.min(SWEEP_CHECKS, slots.mappingCount());
      for (long i = 0; i < checks && moveHand(); i++) {
        drop(hand.next(), now);
      }
    } finally {
      sweeping.set(false);
    }
  }

  private boolean moveHand() {
    if (!hand.hasNext()) {
      hand = slots.entrySet().iterator();
    }
    return hand.hasNext();
  }

  private void drop(Map.Entry<ExactBucketId, Slot> entry, long now) {
    Slot slot = entry.getValue();
    synchronized (slot) { // no thread finds one that is sealed and still here
      if (slot.seal(now) && slots.remove(entry.getKey(), slot)) {
        taken.decrementAndGet();
      }
    }
  }

  long size() {
    return slots.mappingCount();
  }

  void close() {
    closed = true;
    slots.clear();
  }
}
