package io.weir.compat.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A master, two replicas and three sentinels that watch over them. They notice within half a second
 * that the master is gone; another is chosen about two seconds later.
 *
 * <p>Confine to one thread.
 */
public final class SentinelSetup implements AutoCloseable {
  private static final String NAME = "weir";
  private static final String LOCALHOST = "127.0.0.1";

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> sentinels = new ArrayList<>();

  private SentinelSetup() {}

  /**
   * Starts all six and waits until the sentinels agree.
   *
   * @param config lines of redis.conf for the master and the replicas
   * @return a setup that the caller closes
   */
  public static SentinelSetup start(String... config) {
    SentinelSetup setup = new SentinelSetup();
    try {
      setup.open(config);
    } catch (RuntimeException | Error e) {
      setup.close();
      throw e;
    }
    return setup;
  }

  private void open(String... config) {
    RedisServer master = RedisServer.start(config);
    servers.add(master);
    String[] replica =
        Stream.concat(Stream.of(config), Stream.of("replicaof " + LOCALHOST + " " + master.port()))
            .toArray(String[]::new);
    servers.add(RedisServer.start(replica));
    servers.add(RedisServer.start(replica));
    Await.until("two replicas", () -> master.ask("INFO", "replication").contains("slave1"));
    for (int i = 0; i < 3; i++) {
      sentinels.add(watching(master.port(), 2));
    }
    sentinels.forEach(each -> Await.until("sentinels agree", () -> agrees(each)));
  }

  /**
   * Returns a sentinel alone.
   *
   * @param masterPort where it reaches the master, which is also the address that it reports
   * @param quorum how many of its kind must agree that the master is gone
   * @return the sentinel, which the caller closes
   */
  public static RedisServer watching(int masterPort, int quorum) {
    return RedisServer.start(
        List.of(
            "sentinel monitor " + NAME + " " + LOCALHOST + " " + masterPort + " " + quorum,
            "sentinel down-after-milliseconds " + NAME + " 500",
            "sentinel failover-timeout " + NAME + " 4000"),
        List.of("--sentinel"));
  }

  /**
   * Has a sentinel watch another master in place of the one it watched, under the same name.
   *
   * @param sentinel which
   * @param masterPort where it reaches the master, which is also the address that it reports
   * @param quorum how many of its kind must agree that the master is gone
   */
  public static void name(RedisServer sentinel, int masterPort, int quorum) {
    sentinel.ask("SENTINEL", "REMOVE", NAME);
    sentinel.ask("SENTINEL", "MONITOR", NAME, LOCALHOST, "" + masterPort, "" + quorum);
  }

  private static boolean agrees(RedisServer sentinel) {
    String master = sentinel.ask("SENTINEL", "MASTER", NAME);
    return master.contains("num-slaves\n2")
        && master.contains("num-other-sentinels\n2")
        && sentinel.ask("SENTINEL", "CKQUORUM", NAME).startsWith("OK");
  }

  /**
   * Returns the address for {@code weir.store}.
   *
   * @return all sentinels and the name of the master
   */
  public String url() {
    return url(sentinels);
  }

  /**
   * Returns the address of the master that some sentinels watch.
   *
   * @param sentinels at least one
   * @return all of them and the name of the master
   */
  public static String url(List<RedisServer> sentinels) {
    return sentinels.stream()
        .map(each -> LOCALHOST + ":" + each.port())
        .collect(Collectors.joining(",", "redis-sentinel://", "/" + NAME));
  }

  /**
   * Returns the current master, by the sentinels.
   *
   * @return one of {@link #servers()}
   */
  public RedisServer master() {
    return sentinels.stream()
        .filter(RedisServer::running)
        .map(each -> each.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME))
        .flatMap(address -> servers.stream().filter(each -> address.endsWith("\n" + each.port())))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns all three, whichever is the master.
   *
   * @return the master of the start first
   */
  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  /**
   * Returns those that watch.
   *
   * @return three
   */
  public List<RedisServer> sentinels() {
    return List.copyOf(sentinels);
  }

  /** Has the sentinels make another server the master, in order, and waits until it is. */
  public void failover() {
    RedisServer old = master();
    RedisServer leader = sentinels.get(0);
    Await.until(
        "a failover",
        () -> {
          if (isReplaced(leader, old)) {
            return true;
          }
          // Again if need be: on a busy machine it may find no replica that seems to be up.
          leader.ask("SENTINEL", "FAILOVER", NAME);
          return false;
        });
    awaitMasterOtherThan(old);
  }

  /**
   * Waits until all sentinels that run name another master.
   *
   * @param old the one that isn't it any more
   */
  public void awaitMasterOtherThan(RedisServer old) {
    for (RedisServer sentinel : sentinels) {
      Await.until("another master", () -> !sentinel.running() || isReplaced(sentinel, old));
    }
    Await.until("it is one", () -> master().ask("ROLE").startsWith("master"));
  }

  private static boolean isReplaced(RedisServer sentinel, RedisServer old) {
    return !sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME).endsWith("\n" + old.port());
  }

  @Override
  public void close() {
    sentinels.forEach(RedisServer::close);
    servers.forEach(RedisServer::close);
  }
}
