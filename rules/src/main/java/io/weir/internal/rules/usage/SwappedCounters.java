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
 * Counters that requests add to without waiting for each other, and that are taken over whole: each
 * addition is in exactly one generation.
 *
 * <p>Whoever adds says so before it looks which generation is current, and says when it is done.
 * Whoever takes over puts a new generation in place first, and waits for those who may still be
 * adding to the old one: for the blink of an eye, and never the other way round.
 *
 * <p>Safe for concurrent use, but only one thread takes over.
 *
 * @param <K> what is counted apart
 * @param <C> counters, which are safe for concurrent use
 */
final class SwappedCounters<K, C> {
  private static final long PAUSE_NANOS = 50_000;

  private final int most;
  private final Supplier<C> counters;
  private volatile Generation<K, C> current = new Generation<>();

  private static final class Generation<K, C> {
    final Map<K, C> counted = new ConcurrentHashMap<>();
    final AtomicInteger size = new AtomicInteger();
    final LongAdder entered = new LongAdder();
    final LongAdder left = new LongAdder();
  }

  /**
   * Empty.
   *
   * @param most how many keys one generation holds
   * @param counters makes new ones
   */
  SwappedCounters(int most, Supplier<C> counters) {
    this.most = most;
    this.counters = counters;
  }

  /**
   * Adds to the counters of a key.
   *
   * @param key the key
   * @param addition adds
   * @return false if there is no place for another key
   */
  boolean add(K key, Consumer<C> addition) {
    while (true) {
      Generation<K, C> now = current;
      now.entered.increment();
      try {
        VarHandle.fullFence(); // whoever takes over sees this, or we see that it does
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
      if (to.size.get() >= most) {
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

  /**
   * Takes over all that was added; nobody adds to it any more.
   *
   * @return by key
   */
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

  /** Who has left had entered, so the other order could miss one who entered in between. */
  private static boolean isBusy(Generation<?, ?> old) {
    long left = old.left.sum();
    return old.entered.sum() != left;
  }
}
