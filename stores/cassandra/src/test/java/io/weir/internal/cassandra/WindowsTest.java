package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.cql.Row;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.seeds.Seeds;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What many windows leave behind: nothing that grows. */
class WindowsTest {
  private static final int BUCKETS = 20;
  private static final int CLAIMS = 200;
  private static final long PLENTY = 1_000_000;

  /** Files of an almost empty table differ by their indexes and filters. */
  private static final long FEW_BYTES = 100_000;

  @Test
  void leaveNoTombstonesToReadAndNoFilesThatGrow() {
    Assumptions.assumeTrue(
        CassandraServer.missing().isEmpty(), () -> CassandraServer.missing().orElse(""));
    int windows = Seeds.deep() ? 60 : 5;
    Duration window = Duration.ofSeconds(Seeds.deep() ? 10 : 2);
    try (CassandraServer server = CassandraServer.start();
        CassandraStore store =
            Servers.open(server.contactPoint(), Map.of(), new StoreClock(Ticker.system()))) {
      List<BucketId> buckets = buckets(window);
      List<Long> sizes = new ArrayList<>();
      for (int i = 0; i < windows; i++) {
        long end = System.nanoTime() + window.toNanos();
        for (int claim = 0; claim < CLAIMS || System.nanoTime() < end; claim++) {
          BucketId bucket = buckets.get(claim % buckets.size());
          store.execute(List.of(Claim.of(bucket, 1, PLENTY, PLENTY))).toCompletableFuture().join();
        }
        server.flush(Servers.KEYSPACE);
        server.compact(Servers.KEYSPACE);
        sizes.add(bytes(server));
      }
      Row read =
          server
              .execute(
                  "SELECT max FROM system_views.tombstones_per_read WHERE keyspace_name = ?"
                      + " AND table_name = ?",
                  Servers.KEYSPACE,
                  "weir_buckets")
              .one();
      double tombstones = read == null ? 0 : read.getDouble(0);
      System.out.println("tombstones read by a claim: " + tombstones + ", bytes: " + sizes);
      assertTrue(tombstones <= 2.0 * CLAIMS / BUCKETS, "a claim read " + tombstones);
      if (Seeds.deep()) {
        long before = sizes.get(windows / 3);
        long after = sizes.get(windows - 1);
        assertTrue(after <= 2 * before + FEW_BYTES, "bytes: " + sizes);
      }
    }
  }

  private static List<BucketId> buckets(Duration window) {
    List<BucketId> buckets = new ArrayList<>();
    for (int i = 0; i < BUCKETS; i++) {
      Algorithm algorithm = i % 2 == 0 ? Algorithm.FIXED_WINDOW : Algorithm.SLIDING_WINDOW;
      BucketSpec spec = BucketSpec.builder("windows").algorithm(algorithm).window(window).build();
      buckets.add(new BucketId(spec, Key.of("caller " + i)));
    }
    return buckets;
  }

  /** Of the table's files; others keep what Cassandra itself notes. Some go meanwhile. */
  private static long bytes(CassandraServer server) {
    return bytes(server.directory().resolve("data").resolve(Servers.KEYSPACE).toFile());
  }

  private static long bytes(File file) {
    File[] inside = file.listFiles();
    return inside == null ? file.length() : Stream.of(inside).mapToLong(WindowsTest::bytes).sum();
  }
}
