package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.weir.Ticker;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.compat.redis.Distance;
import io.weir.store.BucketHasher;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;

/**
 * The Cassandra of all tests that don't break it: one that {@code weir.test.cassandra=host:port}
 * names, which saves a start, or else one that is started.
 */
final class Servers {
  static final String KEYSPACE = "tests";

  private Servers() {}

  /** Where it is. */
  static InetSocketAddress shared() {
    String running = System.getProperty("weir.test.cassandra", "");
    if (!running.isEmpty()) {
      String[] parts = running.split(":", 2);
      return new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
    }
    CassandraServer.assumePresent();
    return CassandraServer.shared().contactPoint();
  }

  /** Makes the shared one as far away as that. */
  static Distance away(Duration roundTrip) {
    return new Distance(shared().getPort(), roundTrip);
  }

  /** Where it is then. */
  static InetSocketAddress through(Distance distance) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), distance.port());
  }

  /** The value of {@code weir.store}. */
  static String address(InetSocketAddress server) {
    return "cassandra://"
        + server.getAddress().getHostAddress()
        + ":"
        + server.getPort()
        + "/"
        + KEYSPACE
        + "?dc="
        + CassandraServer.DATA_CENTRE;
  }

  /** Opens a session of a test itself, without a keyspace. */
  static CqlSession session() {
    return CqlSession.builder()
        .addContactPoint(shared())
        .withLocalDatacenter(CassandraServer.DATA_CENTRE)
        .withConfigLoader(patient())
        .build();
  }

  /** For sessions of tests. */
  static DriverConfigLoader patient() {
    Duration patience = Duration.ofSeconds(20);
    return DriverConfigLoader.programmaticBuilder()
        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, patience)
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, patience)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, patience)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, patience)
        .build();
  }

  /** A store in a keyspace of its own. */
  static CassandraStore open(String keyspace) {
    return open(
        address(shared()).replace(KEYSPACE, keyspace), Map.of(), new StoreClock(Ticker.system()));
  }

  /** A store by its inner parts, connected. */
  static CassandraStore open(
      InetSocketAddress server, Map<String, String> settings, StoreClock clock) {
    return open(address(server), settings, clock);
  }

  /** The same at any address. */
  static CassandraStore open(String where, Map<String, String> settings, StoreClock clock) {
    CassandraStore store = unconnected(where, settings, clock);
    connect(store);
    return store;
  }

  /** A store that nobody has asked yet. */
  static CassandraStore unconnected(String where, Map<String, String> settings, StoreClock clock) {
    CassandraAddress address = CassandraAddress.parse(URI.create(where));
    Map<String, String> patient =
        Map.of("weir.store.timeout", "10s"); // the machine of tests may be slow
    return new CassandraStore(
        address,
        new CassandraSettings(name -> settings.getOrDefault(name, patient.getOrDefault(name, ""))),
        BucketHasher.of("a secret"),
        clock,
        Ticker.system());
  }

  static CassandraStore open(InetSocketAddress server) {
    return open(server, Map.of(), new StoreClock(Ticker.system()));
  }

  /** Tries for longer than the machine may be busy with other things; not if a setting is wrong. */
  private static void connect(CassandraStore store) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (true) {
      try {
        store.connect().toCompletableFuture().join();
        return;
      } catch (CompletionException failed) {
        String why = String.valueOf(failed.getMessage());
        boolean passes = why.contains("No node was available") || why.contains("timed out");
        if (!passes || System.nanoTime() > end) {
          store.close();
          throw failed;
        }
      }
    }
  }
}
