package io.weir.internal.redis;

import io.weir.Ticker;
import io.weir.compat.redis.RedisServer;
import io.weir.internal.redis.address.RedisAddress;
import io.weir.internal.redis.address.RedisAddressParser;
import io.weir.internal.redis.address.RedisSettings;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.store.PermitStore;
import io.weir.testkit.PermitStoreContract;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** The contract of every store, on a real Redis whose scripts read the time from a key. */
class RedisContractTest extends PermitStoreContract {
  private final ScriptRig redis = ScriptRig.withoutLifetimes();
  private long micros = 1_700_000_040L * 1_000_000;

  @Override
  protected PermitStore open() {
    redis.setClock(micros);
    RedisAddress address = RedisAddressParser.parse(URI.create(url()));
    Ticker ticker = Ticker.system();
    RedisSettings patient =
        new RedisSettings(name -> name.equals("weir.store.timeout") ? "10s" : "");
    RedisConnections connections = new RedisConnections(address, patient, ticker);
    return new RedisStore(connections, redis.keys, redis.scripts, ticker);
  }

  /** Returns the address of the Redis that the rig sets the time of. */
  String url() {
    return RedisServer.shared();
  }

  @Override
  protected void advance(Duration time) {
    micros += time.toNanos() / 1_000;
    redis.setClock(micros);
  }

  @AfterEach
  void close() {
    redis.close();
  }
}
