package io.weir.benchmarks.decisions.peers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Key;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The least that a bounded cache of permits can do: one read of Caffeine and one compare-and-set.
 *
 * <p>In it: the comparison of two keys that are equal and not the same, whose hashes are known; the
 * way to the cached number; its decrement, and the check that there was something to take. Not in
 * it: any clock, any window, any answer but the rest as a long, any bookkeeping.
 */
@State(Scope.Benchmark)
public class Floor {
  private static final long MANY = Long.MAX_VALUE;

  private Cache<Key, AtomicLong> cache = Caffeine.newBuilder().build();

  /** Puts everybody in. */
  @Setup
  public void fill(CallerNames callers) {
    cache = Caffeine.newBuilder().maximumSize(callers.room()).build();
    for (int number = 0; number < callers.keys; number++) {
      cache.put(Key.of(CallerNames.text(number)), new AtomicLong(MANY));
    }
  }

  /** Takes one permit; what is left, or less than zero. */
  public long take(Key key) {
    AtomicLong left = cache.getIfPresent(key);
    if (left == null) {
      return -1;
    }
    while (true) {
      long now = left.get();
      if (now <= 0 || left.compareAndSet(now, now - 1)) {
        return now - 1;
      }
    }
  }
}
