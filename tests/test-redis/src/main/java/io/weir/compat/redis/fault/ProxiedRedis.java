package io.weir.compat.redis.fault;

import io.weir.compat.redis.Await;
import io.weir.compat.redis.ClusterSetup;
import io.weir.compat.redis.Distance;
import io.weir.compat.redis.RedisServer;
import io.weir.compat.redis.SentinelSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A store that nodes reach only through proxies: one Redis alone, one that a sentinel watches, or
 * the three masters of a cluster.
 *
 * <p>Confine to one thread.
 */
public final class ProxiedRedis implements AutoCloseable {
  private final List<RedisServer> servers;
  private final Duration roundTrip;
  private final List<FaultProxy> proxies = new ArrayList<>();
  private final List<AutoCloseable> others = new ArrayList<>();
  private String url = "";
  private Optional<ClusterSetup> cluster = Optional.empty();
  private Optional<RedisServer> sentinel = Optional.empty();
  private Optional<RedisServer> heir = Optional.empty();
  private long keys;

  private ProxiedRedis(List<RedisServer> servers, Duration roundTrip) {
    this.servers = new ArrayList<>(servers);
    this.roundTrip = roundTrip;
    servers.forEach(each -> proxies.add(FaultProxy.before(portOf(each))));
  }

  private int portOf(RedisServer server) {
    if (roundTrip.isZero()) {
      return server.port();
    }
    Distance distance = new Distance(server.port(), roundTrip);
    others.add(distance);
    return distance.port();
  }

  /** Returns one Redis. */
  public static ProxiedRedis alone(String... config) {
    return away(Duration.ZERO, config);
  }

  /** Returns one Redis that is so far away, to and fro. */
  public static ProxiedRedis away(Duration roundTrip, String... config) {
    RedisServer server = RedisServer.start(config);
    ProxiedRedis all = new ProxiedRedis(List.of(server), roundTrip);
    all.others.add(server);
    all.url = all.proxies.get(0).url();
    return all;
  }

  /** Returns one Redis, and a sentinel that names its proxy as the master. */
  public static ProxiedRedis watched(String... config) {
    ProxiedRedis all = alone(config);
    RedisServer sentinel = SentinelSetup.watching(all.proxies.get(0).port(), 1);
    all.others.add(0, sentinel);
    all.sentinel = Optional.of(sentinel);
    all.url = SentinelSetup.url(List.of(sentinel));
    return all;
  }

  /** Three masters that announce the addresses of their proxies as their own. */
  public static ProxiedRedis cluster(String... config) {
    ClusterSetup setup = ClusterSetup.start(config);
    ProxiedRedis all = new ProxiedRedis(setup.masters(), Duration.ZERO);
    all.others.add(setup);
    all.cluster = Optional.of(setup);
    all.awaitWell();
    all.url =
        all.proxies.stream()
            .map(each -> "127.0.0.1:" + each.port())
            .collect(Collectors.joining(",", "redis-cluster://", ""));
    return all;
  }

  /**
   * Waits until the servers are what they were at first. One that was started again has forgotten
   * where it is to say that it is.
   */
  public void awaitWell() {
    if (cluster.isPresent()) {
      for (int i = 0; i < servers.size(); i++) {
        servers.get(i).ask("CONFIG", "SET", "cluster-announce-port", "" + proxies.get(i).port());
      }
      servers.forEach(each -> Await.until("all know the proxies", () -> isKnownTo(each)));
      servers.forEach(
          each ->
              Await.until(
                  "a whole cluster",
                  () -> each.ask("CLUSTER", "INFO").contains("cluster_state:ok")));
    }
  }

  private boolean isKnownTo(RedisServer server) {
    String slots = server.ask("CLUSTER", "SLOTS");
    return proxies.stream().allMatch(each -> slots.contains("\n" + each.port() + "\n"));
  }

  /** Returns how long a message takes there and back, beside the faults. */
  Duration roundTrip() {
    return roundTrip;
  }

  /** Returns the address for {@code weir.store}. */
  public String url() {
    return url;
  }

  /** Returns those behind the proxies. */
  public List<RedisServer> servers() {
    return servers;
  }

  /** Returns the cluster that they are, if they are one. */
  public Optional<ClusterSetup> masters() {
    return cluster;
  }

  /** Begins to count replies with this error, or without one calls that aren't answered. */
  public void watch(String error) {
    proxies.forEach(each -> each.watch(error));
  }

  /** Returns the number that there were. */
  public long seen() {
    return proxies.stream().mapToLong(FaultProxy::seen).sum();
  }

  /** Has Redis answer each call of a script with an error, without having executed it. */
  public void refuse(String error) {
    byte[] command = Frames.command("EVAL", "return redis.error_reply('" + error + "')", "0");
    proxies.forEach(each -> each.tell(Optional.of(command)));
  }

  /** Counts the keys of all. */
  void countKeys() {
    keys = servers.stream().mapToLong(each -> Long.parseLong(each.ask("DBSIZE"))).sum();
  }

  /** Returns the number of keys at the time of counting. */
  long counted() {
    return keys;
  }

  /** Keeps a Redis that is to take the place of the only one. */
  void heir(RedisServer next) {
    others.add(next);
    heir = Optional.of(next);
  }

  /** Puts it there; the other may be gone by then. */
  void promote() {
    RedisServer next = heir.orElseThrow();
    servers.set(0, next);
    if (sentinel.isEmpty()) {
      proxies.get(0).leadTo(portOf(next));
    } else {
      FaultProxy proxy = FaultProxy.before(next.port());
      proxies.set(0, proxy).close();
      SentinelSetup.name(sentinel.get(), proxy.port(), 1);
    }
  }

  /** Strikes each call of a script, on all proxies. */
  public void strike(Fault fault, Moment moment) {
    proxies.forEach(each -> each.strike(fault, moment));
  }

  /** Has each call of a script answered so late, by chance. */
  public void slow(long leastMillis, long mostMillis) {
    proxies.forEach(each -> each.slow(leastMillis, mostMillis));
  }

  /** Lets everything pass again. */
  public void heal() {
    proxies.forEach(FaultProxy::heal);
    proxies.forEach(each -> each.tell(Optional.empty()));
  }

  /** Returns the number of calls that the last fault has affected. */
  public int struck() {
    return proxies.stream().mapToInt(FaultProxy::struck).sum();
  }

  @Override
  public void close() throws Exception {
    proxies.forEach(FaultProxy::close);
    for (AutoCloseable each : others) {
      each.close();
    }
  }
}
