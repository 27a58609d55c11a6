package io.weir.compat.redis.fault;

import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;

/**
 * The master dies, and a replica takes its place that lacks what was written last.
 *
 * <p>Confine to one thread.
 */
public final class Failover implements Mishap {
  /** One that may happen again and again. */
  public Failover() {}

  @Override
  public String title() {
    return "FAILOVER";
  }

  @Override
  public void begin(ProxiedRedis store) {
    store.watch("");
    RedisServer master = store.servers().get(0);
    // Never by a sentinel that hears of it.
    RedisServer replica = RedisServer.start("replica-priority 0");
    replica.ask("REPLICAOF", "127.0.0.1", "" + master.port());
    Await.until(
        "a replica", () -> replica.ask("INFO", "replication").contains("master_link_status:up"));
    // From here on it misses what its master receives.
    replica.ask("REPLICAOF", "NO", "ONE");
    Recipe.awaitWritten(master, Recipe.written(master));
    master.kill9();
    store.heir(replica);
  }

  @Override
  public void end(ProxiedRedis store) {
    store.promote();
  }

  @Override
  public boolean cutsOff() {
    return true;
  }

  @Override
  public boolean forgets() {
    return true;
  }

  @Override
  public long seen(ProxiedRedis store) {
    return store.seen();
  }
}
