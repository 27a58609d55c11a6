package io.weir.internal.redis;

import io.weir.Ticker;
import io.weir.internal.redis.connection.Failure;
import io.weir.internal.redis.connection.FailureKind;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Says once in the log what somebody has to mend, and once that it is mended.
 *
 * <p>A Redis that is full still answers what only reads, and one odd key leaves the others alone.
 * So a trouble is over only when an answer comes and it wasn't met for a few seconds.
 *
 * <p>Safe for concurrent use.
 */
final class OnceLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long CALM = TimeUnit.SECONDS.toNanos(5);

  private final String redis;
  private final Ticker ticker;
  private final Map<FailureKind, Long> raised = new ConcurrentHashMap<>();

  /** Who is named as {@code redis} is what doesn't count. */
  OnceLog(String redis, Ticker ticker) {
    this.redis = redis;
    this.ticker = ticker;
  }

  /** Somebody's call or claim failed. */
  void failed(Failure why) {
    FailureKind trouble = why.trouble();
    if (!trouble.passes() && raised.put(trouble, ticker.nanoTime()) == null) {
      LOG.log(
          Level.ERROR,
          redis
              + " doesn't count for Weir: "
              + trouble.advice()
              + ". Until then policies decide by their onStoreFailure. Redis says: "
              + why.text());
    }
  }

  /** Somebody's claim was granted. */
  void answered() {
    if (!raised.isEmpty()) {
      raised.forEach(this::end);
    }
  }

  private void end(FailureKind trouble, long metAt) {
    if (ticker.nanoTime() - metAt >= CALM && raised.remove(trouble, metAt)) {
      LOG.log(Level.INFO, redis + " counts for Weir again (" + trouble + ").");
    }
  }
}
