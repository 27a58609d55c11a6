package io.weir.internal.ban;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Key;
import io.weir.Ticker;
import java.time.Duration;
import java.util.List;

/**
 * Remembers for a while when this node asked callers to retry, so that only those that come earlier
 * get strikes. Of more callers than there is room for it forgets some. Safe for concurrent use.
 */
final class RetryTimes {
  private static final int MAX_CALLERS = 100_000;

  private final Ticker ticker;
  private final Cache<Key, Long> times =
      Caffeine.newBuilder().maximumSize(MAX_CALLERS).executor(Runnable::run).build();

  RetryTimes(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Takes note of a refusal.
   *
   * @param who distinguishes the callers behind one address; empty if the key does
   * @param wait the time that the caller is asked to wait
   * @return whether the same caller came before the time that it was given earlier
   */
  boolean note(WatchedCaller caller, String who, Duration wait) {
    Key asked = Key.tuple(List.of(Key.of(caller.policy()), caller.key(), Key.of(who)));
    long now = ticker.nanoTime();
    Long before = times.asMap().put(asked, now + wait.toNanos());
    return before != null && now - before < 0;
  }
}
