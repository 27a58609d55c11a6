package io.weir.internal.rules.request;

import io.weir.Ticker;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.spi.SourceContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What requests cost by their method alone, as {@code weir.cost.GET} and its like say. Settings are
 * read again every second. Safe for concurrent use.
 */
final class MethodCosts {
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** More than HTTP has; others, which callers invent, cost 1. */
  private static final int MOST_METHODS = 50;

  private final RulebookContext application;
  private final Ticker ticker;
  private volatile Known known;

  private record Known(Map<String, Long> costs, long readAt) {}

  MethodCosts(SourceContext application) {
    this.application = RulebookContext.of(application);
    this.ticker = application.ticker();
    this.known = new Known(new ConcurrentHashMap<>(), ticker.nanoTime());
  }

  /** Permits, 1 and more. */
  long of(String method) {
    Known now = known;
    if (ticker.nanoTime() - now.readAt >= KEPT_NANOS) {
      now = new Known(new ConcurrentHashMap<>(), ticker.nanoTime());
      known = now;
    }
    Long cost = now.costs.get(method);
    if (cost == null) {
      cost =
          now.costs.size() < MOST_METHODS
              ? Long.valueOf(application.cost(method))
              : Long.valueOf(1);
      if (now.costs.size() < MOST_METHODS) {
        now.costs.put(method, cost);
      }
    }
    return cost;
  }
}
