package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.cql.Row;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.LeasingStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Expired rows leave nothing behind that grows. A long build watches sixty windows of ten seconds,
 * a short one fewer and shorter ones, in a table with less grace.
 */
@OneDayIn(4)
class ExpiredRowsTest {
  /** Rows live for some ten windows, so the first third of them is over before figures count. */
  private static final int WINDOWS = Seeds.deep() ? 60 : 21;

  private static final Duration WINDOW = Duration.ofSeconds(Seeds.deep() ? 10 : 2);
  private static final int SHORT_GRACE = 2;

  private static final int NODES = 2;
  private static final int BUSY = 20;
  private static final int NEW = Seeds.deep() ? 50 : 20;
  private static final String KEYSPACE = "expired";
  private static final int CLAIMS_AT_ONCE = 10;
  private static final long LIMIT = 1_000_000;

  /** Anything that piles up is nearly twice as much in the last third as in the one before. */
  private static final double MAX_GROWTH = 1.3;

  private static final Duration PAUSE = Duration.ofMillis(Seeds.deep() ? 20 : 300);

  private final Map<String, AtomicInteger> claims = new ConcurrentHashMap<>();

  @BeforeAll
  static void assumeThatItRunsHere() {
    CassandraServer.assumePresent();
  }

  @Test
  void growNeitherOnTheDiskNorForWhoReads() throws Exception {
    CassandraServer server = CassandraServer.shared();
    List<LeasingStore> nodes = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      nodes.add(open(server));
    }
    if (!Seeds.deep()) {
      server.execute(
          "ALTER TABLE " + KEYSPACE + ".weir_buckets WITH gc_grace_seconds = " + SHORT_GRACE);
    }
    List<Sample> samples = watch(server, nodes);
    nodes.forEach(LeasingStore::close);
    samples.forEach(System.out::println);
    check(samples);
  }

  private static LeasingStore open(CassandraServer server) {
    Map<String, String> settings =
        Map.of("weir.secret", "of the tests", "weir.store.timeout", "5s");
    LeasingStore store =
        (LeasingStore)
            new CassandraProvider()
                .open(
                    URI.create(
                        Servers.address(server.contactPoint()).replace(Servers.KEYSPACE, KEYSPACE)),
                    name -> settings.getOrDefault(name, ""),
                    Ticker.system());
    store.connect().toCompletableFuture().join();
    return store;
  }

  private List<Sample> watch(CassandraServer server, List<LeasingStore> nodes) throws Exception {
    AtomicBoolean goesOn = new AtomicBoolean(true);
    ExecutorService threads = Executors.newFixedThreadPool(NODES);
    List<Future<?>> loads = new ArrayList<>();
    nodes.forEach(node -> loads.add(threads.submit(() -> keepBusy(node, goesOn))));
    List<Sample> samples = new ArrayList<>();
    try {
      for (int window = 0; window < WINDOWS; window++) {
        claims.clear();
        long end = System.nanoTime() + WINDOW.toNanos();
        for (int caller = 0; caller < NEW; caller++) {
          claim(nodes.get(caller % NODES), List.of("new " + window + " " + caller));
        }
        LockSupport.parkNanos(Math.max(0, end - System.nanoTime()));
        server.flush(KEYSPACE);
        samples.add(sample(server, fewestClaims()));
      }
    } finally {
      goesOn.set(false);
      threads.shutdown();
    }
    for (Future<?> load : loads) {
      load.get(1, TimeUnit.MINUTES);
    }
    return samples;
  }

  /** Of a bucket that is busy, in this window. */
  private int fewestClaims() {
    return IntStream.range(0, BUSY)
        .map(each -> claims.getOrDefault("busy " + each, new AtomicInteger()).get())
        .min()
        .orElseThrow();
  }

  private void keepBusy(LeasingStore node, AtomicBoolean goesOn) {
    List<String> names = IntStream.range(0, BUSY).mapToObj(each -> "busy " + each).toList();
    for (int turn = 0; goesOn.get(); turn++) {
      int first = turn * CLAIMS_AT_ONCE % BUSY;
      claim(node, names.subList(first, first + CLAIMS_AT_ONCE));
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private void claim(LeasingStore node, List<String> names) {
    node.execute(names.stream().map(each -> Claim.of(bucket(each), 1, LIMIT, LIMIT)).toList())
        .toCompletableFuture()
        .join();
    names.forEach(
        each -> claims.computeIfAbsent(each, any -> new AtomicInteger()).incrementAndGet());
  }

  private static BucketId bucket(String name) {
    boolean slides = name.hashCode() % 2 == 0;
    Algorithm algorithm = slides ? Algorithm.SLIDING_WINDOW : Algorithm.FIXED_WINDOW;
    return new BucketId(
        BucketSpec.builder("p").algorithm(algorithm).window(WINDOW).build(), Key.of(name));
  }

  private static Sample sample(CassandraServer server, int claims) {
    Row tombstones =
        server
            .execute(
                "SELECT count, max FROM system_views.tombstones_per_read"
                    + " WHERE keyspace_name = ? AND table_name = 'weir_buckets'",
                KEYSPACE)
            .one();
    return new Sample(
        bytes(server.directory().resolve("data").resolve(KEYSPACE)),
        server.partitions(KEYSPACE, "weir_buckets"),
        tombstones.getLong("count"),
        tombstones.getDouble("max"),
        claims);
  }

  private static long bytes(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.mapToLong(each -> each.toFile().length()).sum();
    } catch (IOException | UncheckedIOException compacted) {
      return bytes(directory);
    }
  }

  private static void check(List<Sample> samples) {
    List<Sample> before = samples.subList(WINDOWS / 3, 2 * WINDOWS / 3);
    List<Sample> after = samples.subList(2 * WINDOWS / 3, WINDOWS);
    double bytes = least(after, Sample::bytes) / least(before, Sample::bytes);
    assertTrue(bytes <= MAX_GROWTH, "the disk fills: " + bytes);
    double partitions = least(after, Sample::partitions) / least(before, Sample::partitions);
    assertTrue(partitions <= MAX_GROWTH, "partitions pile up: " + partitions);
    int claims = 1; // of this window or an earlier one, as what is read was written then
    for (Sample each : samples) {
      claims = Math.max(claims, each.claims);
      assertTrue(each.mostTombstones <= 2.0 * claims, "a claim reads too much: " + each);
    }
  }

  /** Files that a compaction is about to merge count in one sample or another, never in all. */
  private static double least(List<Sample> samples, ToDoubleFunction<Sample> value) {
    return samples.stream().mapToDouble(value).min().orElseThrow();
  }

  /** The state at the end of a window. */
  private record Sample(
      long bytes, long partitions, long reads, double mostTombstones, int claims) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,d bytes, %d partitions; %d reads, of at most %.0f tombstones; %d claims of a busy bucket",
          bytes,
          partitions,
          reads,
          mostTombstones,
          claims);
    }
  }
}
