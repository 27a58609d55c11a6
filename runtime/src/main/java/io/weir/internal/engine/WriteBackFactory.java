package io.weir.internal.engine;

import io.weir.Ticker;
import io.weir.internal.permits.StoreListener;
import io.weir.internal.writeback.WriteBackCache;
import io.weir.internal.writeback.WriteBackSettings;
import io.weir.store.LeasingStore;
import java.util.concurrent.ScheduledExecutorService;

/** Makes the cache of leases, whose library only those need who share a store. */
final class WriteBackFactory {
  private static final String BREAKER = "io.github.resilience4j.circuitbreaker.CircuitBreaker";
  private static final String LIBRARY = "io.github.resilience4j:resilience4j-circuitbreaker";

  private WriteBackFactory() {}

  static WriteBackCache of(
      LeasingStore store,
      WriteBackSettings settings,
      Ticker ticker,
      ScheduledExecutorService scheduler,
      StoreListener events) {
    try {
      Class.forName(BREAKER, true, WriteBackFactory.class.getClassLoader());
      return new WriteBackCache(store, settings, ticker, scheduler, events);
    } catch (ClassNotFoundException | NoClassDefFoundError absent) {
      throw new IllegalArgumentException(
          "a store that nodes share needs a library that isn't on the class path: " + LIBRARY,
          absent);
    }
  }
}
