package io.weir.internal.rules.usage;

import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Counts by key. Requests add without waiting for each other, and all counters are taken at once
 * and replaced by new ones: each addition is in exactly one generation of counters.
 *
 * <p>An adding thread marks itself as entered before it reads the current generation, and as left
 * when it is done. The taking thread replaces the generation first, and then waits, for very short,
 * until all threads that entered the old one have left it. Adding threads never wait.
 *
 * <p>Safe for concurrent use, but only one thread may take.
 *
 * @param <K> the key of counters
 * @param <C> counters, which are safe for concurrent use
 */
final class SwappedCounters<K, C> {
  private static final long PAUSE_NANOS = 50_000;

  private final int capacity;
  private final Supplier<C> counters;
  private volatile Generation<K, C> current = new Generation<>();

  private static final class Generation<K, C> {
    final Map<K, C> counted = new ConcurrentHashMap<>();
    final AtomicInteger size = new AtomicInteger();
    final LongAdder entered = new LongAdder();
    final LongAdder left = new LongAdder();
  }

  /**
   * Creates one without keys.
   *
   * @param capacity the number of keys that a generation holds
   * @param counters makes the counters of a new key
   */
  SwappedCounters(int capacity, Supplier<C> counters) {
    this.capacity = capacity;
    this.counters = counters;
  }

  /** Adds to the counters of a key; returns false if the generation is full. */
  boolean add(K key, Consumer<C> addition) {
    while (true) {
      Generation<K, C> now = current;
      now.entered.increment();
      try {
        VarHandle
            .fullFence(); // the taking thread sees this, or this thread sees the new generation
        if (now == current) {
          return add(now, key, addition);
        }
      } finally {
        now.left.increment();
      }
    }
  }

  private boolean add(Generation<K, C> to, K key, Consumer<C> addition) {
    C counted = to.counted.get(key);
    if (counted == null) {
      if (to.size.get() >= capacity) {
        return false;
      }
      C made = counters.get();
      counted = to.counted.putIfAbsent(key, made);
      if (counted == null) {
        to.size.incrementAndGet();
        counted = made;
      }
    }
    addition.accept(counted);
    return true;
  }

  /** Takes all counters; no thread adds to them any more. */
  Map<K, C> take() {
    Generation<K, C> old = current;
    if (old.counted.isEmpty()) {
      return Map.of();
    }
    current = new Generation<>();
    VarHandle.fullFence();
    while (isBusy(old)) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return old.counted;
  }

  /** Reads {@code left} first: otherwise a thread that enters in between could be missed. */
  private static boolean isBusy(Generation<?, ?> old) {
    long left = old.left.sum();
    return old.entered.sum() != left;
  }
}
