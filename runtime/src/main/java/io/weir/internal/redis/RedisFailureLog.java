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
 * Logs each failure that an operator has to fix once, and once that it is fixed.
 *
 * <p>A full Redis still answers reads, and one bad key doesn't affect the others. So a failure
 * counts as fixed only when an answer arrives and the failure hasn't occurred for a few seconds.
 *
 * <p>Safe for concurrent use.
 */
final class RedisFailureLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long CALM = TimeUnit.SECONDS.toNanos(5);

  private final String redis;
  private final Ticker ticker;
  private final Map<FailureKind, Long> raised = new ConcurrentHashMap<>();

  /** Logs failures of the given Redis. */
  RedisFailureLog(String redis, Ticker ticker) {
    this.redis = redis;
    this.ticker = ticker;
  }

  /** Notes the failure of a call or claim. */
  void failed(Failure why) {
    FailureKind trouble = why.trouble();
    if (!trouble.passes() && raised.put(trouble, ticker.nanoTime()) == null) {
      LOG.log(
          Level.ERROR,
          redis
              + " can't be used by Weir: "
              + trouble.advice()
              + ". Until then each policy decides by its onStoreFailure. Redis says: "
              + why.text());
    }
  }

  /** Notes the answer to a claim. */
  void answered() {
    if (!raised.isEmpty()) {
      raised.forEach(this::end);
    }
  }

  private void end(FailureKind trouble, long metAt) {
    if (ticker.nanoTime() - metAt >= CALM && raised.remove(trouble, metAt)) {
      LOG.log(Level.INFO, redis + " can be used by Weir again (" + trouble + ").");
    }
  }
}
