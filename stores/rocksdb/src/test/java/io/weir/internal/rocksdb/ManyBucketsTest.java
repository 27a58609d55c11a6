package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More buckets than RocksDB may keep in memory, and what each takes on the disk. */
class ManyBucketsTest {
  private static final int BATCH = 500;
  private static final int MAX_BYTES = 60;

  @TempDir private Path home;

  private final FakeTicker ticker = new FakeTicker();

  @Test
  void areAllFoundAgainAndTakeFewBytes() throws IOException {
    int buckets = Seeds.deep() ? 1_000_000 : 50_000;
    for (Algorithm algorithm : List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW)) {
      Path directory = home.resolve(algorithm.name());
      try (RocksDbStore store = open(directory)) {
        for (int first = 0; first < buckets; first += BATCH) {
          List<Claim> claims = new ArrayList<>(BATCH);
          for (int i = first; i < first + BATCH; i++) {
            claims.add(Claim.of(bucket(algorithm, i), 1 + i % 7, 10, 10));
          }
          store.execute(claims).toCompletableFuture().join();
        }
      }
      try (RocksDbStore store = open(directory)) { // the log becomes tables
        Random random = new Random(Seeds.first());
        for (int i = 0; i < 2_000; i++) {
          int each = random.nextInt(buckets);
          assertEquals(9 - each % 7, Opened.left(store, bucket(algorithm, each), 10));
        }
        long size = store.size();
        assertTrue(Math.abs(size - buckets) <= buckets / 50, () -> size + " of " + buckets);
      }
      double bytes = (double) tables(directory) / buckets;
      System.out.printf(
          Locale.ROOT, "%,d buckets, %s: %.1f bytes each%n", buckets, algorithm, bytes);
      assertTrue(bytes < MAX_BYTES, () -> bytes + " bytes a bucket");
    }
  }

  private RocksDbStore open(Path directory) {
    return new RocksDbStore(
        directory, 1 << 20, Duration.ofSeconds(1), BucketHasher.of("secret"), ticker);
  }

  private static BucketId bucket(Algorithm algorithm, int caller) {
    return Opened.bucket(algorithm, Duration.ofDays(1), "caller " + caller);
  }

  private static long tables(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }
}
