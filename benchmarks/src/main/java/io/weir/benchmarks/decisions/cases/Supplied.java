package io.weir.benchmarks.decisions.cases;

import io.weir.Ticker;
import io.weir.compat.redis.RedisServer;
import io.weir.internal.engine.StoreLocator;
import io.weir.store.LeasingStore;
import java.time.Duration;
import java.util.Map;

/**
 * A store elsewhere that lasts for one measurement: a Redis of its own, or one that grants
 * everything.
 *
 * @param store counts its exchanges
 * @param server ends what runs it
 */
record Supplied(CountedStore store, Runnable server) {
  /**
   * Long enough for a machine that is busy with something else: a decision that is made without the
   * store is another one.
   */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  static Supplied by(String name) {
    if (!name.equals("redis")) {
      return new Supplied(new CountedStore(new GrantingStore()), () -> {});
    }
    RedisServer redis = RedisServer.start();
    return new Supplied(new CountedStore(open(redis.url())), redis::close);
  }

  private static LeasingStore open(String url) {
    Map<String, String> settings =
        Map.of("weir.secret", "of a benchmark", "weir.store.timeout", PATIENCE.toSeconds() + "s");
    return (LeasingStore)
        StoreLocator.open(url, name -> settings.getOrDefault(name, ""), Ticker.system());
  }

  void close() {
    server.run();
  }
}
