package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Machines that lose their power at any moment: what was spent before the last sync is spent
 * afterwards, and the store opens.
 */
class PowerCutTest {
  private static final int STEPS = 900; // the journal turns about every 130 changes
  private static final int EXACT = 40;
  private static final int LEASED = 20;
  private static final int CUTS_IN_SHORT_BUILD = 24;
  private static final long LIMIT = 1_000_000;

  @TempDir private Path home;

  private final FakeTicker ticker = new FakeTicker();
  private final long[] spent = new long[EXACT + LEASED];
  private long[] syncedSpent = new long[EXACT + LEASED];

  /** A cut to look at: what it left, and what must be spent there. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Cut(String moment, Path left, long[] atLeast, long[] atMost) {
    @Override
    public String toString() {
      return "seed " + Seeds.first() + ", " + moment;
    }
  }

  private final List<Cut> cuts = new ArrayList<>();
  private final Random random = new Random(Seeds.first());
  private PowerCut disk;
  private int number;
  private int looks;

  @Test
  void noSpentPermitIsBackBeyondTheLastSync() throws Exception {
    Path directory = home.resolve("buckets");
    disk = new PowerCut(directory, this::mayCut);
    try (RocksDbStore store = open(directory, disk)) {
      for (int step = 0; step < STEPS; step++) {
        step(store);
        if (random.nextInt(40) == 0) {
          long[] before = spent();
          store.sync();
          synchronized (this) {
            syncedSpent = before;
          }
        }
        mayCut("after step " + step);
        look();
      }
    }
    look();
    System.out.println("power cuts: seed " + Seeds.first() + ", " + looks + " cases");
  }

  private RocksDbStore open(Path directory, DiskSync sync) {
    return new RocksDbStore(
        directory,
        8 << 20,
        new ExactTableSizes(20, 1 << 14),
        Duration.ofHours(1),
        sync,
        BucketHasher.of("secret"),
        ticker);
  }

  private void step(RocksDbStore store) {
    int bucket = random.nextInt(random.nextBoolean() ? 5 : EXACT + LEASED);
    long permits = 1L + random.nextInt(3);
    synchronized (this) {
      spent[bucket] += permits; // what is under way may be there or not
    }
    if (bucket < EXACT) {
      exact(store, bucket, permits);
    } else {
      Opened.take(store, leased(bucket), permits, LIMIT);
    }
    ticker.advance(Duration.ofMillis(random.nextInt(5)));
  }

  private static long exact(RocksDbStore store, int bucket, long permits) {
    return store
        .exactBuckets()
        .orElseThrow()
        .execute(ExactSpender.request(bucket, permits))
        .toCompletableFuture()
        .orTimeout(120, TimeUnit.SECONDS)
        .join()
        .tokens();
  }

  private static BucketId leased(int bucket) {
    return Opened.bucket(Algorithm.FIXED_WINDOW, Duration.ofDays(365), "caller " + bucket);
  }

  private synchronized long[] spent() {
    return spent.clone();
  }

  /**
   * All moments are tried in a long build, and as many of them as it has room for in a short one.
   */
  private synchronized void mayCut(String moment) {
    if (Seeds.deep() || random.nextInt(STEPS) < CUTS_IN_SHORT_BUILD) {
      Path left = home.resolve("cut" + ++number);
      disk.leave(left, random);
      cuts.add(new Cut(moment, left, syncedSpent.clone(), spent.clone()));
    }
  }

  private void look() throws IOException {
    List<Cut> made;
    synchronized (this) {
      made = List.copyOf(cuts);
      cuts.clear();
    }
    for (Cut cut : made) {
      looks++;
      try (RocksDbStore store = open(cut.left(), DiskSync.SYSTEM)) {
        for (int bucket = 0; bucket < spent.length; bucket++) {
          long used =
              bucket < EXACT
                  ? ExactSpender.TOKENS - exact(store, bucket, 0)
                  : LIMIT - Opened.left(store, leased(bucket), LIMIT);
          long atLeast = cut.atLeast()[bucket];
          long atMost = cut.atMost()[bucket];
          assertTrue(
              used >= atLeast && used <= atMost,
              cut + ", bucket " + bucket + ": " + used + " of " + atLeast + " to " + atMost);
        }
      } catch (DatabaseException refused) {
        throw new AssertionError(cut.toString(), refused);
      }
      delete(cut.left());
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
