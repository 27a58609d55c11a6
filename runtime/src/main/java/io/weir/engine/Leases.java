package io.weir.engine;

import io.weir.Ticker;
import io.weir.store.LeasingStore;
import io.weir.writeback.WriteBack;
import io.weir.writeback.WriteBackEvents;
import io.weir.writeback.WriteBackSettings;
import java.util.concurrent.ScheduledExecutorService;

/** Makes the cache of leases, whose library only those need who share a store. */
final class Leases {
  private static final String BREAKER = "io.github.resilience4j.circuitbreaker.CircuitBreaker";
  private static final String LIBRARY = "io.github.resilience4j:resilience4j-circuitbreaker";

  private Leases() {}

  static WriteBack of(
      LeasingStore store,
      WriteBackSettings settings,
      Ticker ticker,
      ScheduledExecutorService scheduler,
      WriteBackEvents events) {
    try {
      Class.forName(BREAKER, true, Leases.class.getClassLoader());
      return new WriteBack(store, settings, ticker, scheduler, events);
    } catch (ClassNotFoundException | NoClassDefFoundError absent) {
      throw new IllegalArgumentException(
          "a store that nodes share needs a library that isn't on the class path: " + LIBRARY,
          absent);
    }
  }
}
