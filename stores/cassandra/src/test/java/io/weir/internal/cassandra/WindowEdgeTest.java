package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Coordinators whose clocks differ, around the edges of windows. */
class WindowEdgeTest {
  private static final long SECOND = 1_000_000;
  private static final long EDGE = 1_700_000_040L * SECOND; // of a window of ten seconds
  private static final int LIMIT = 100;

  private volatile long ofNode;
  private volatile long ofCoordinator;

  /** A node that goes by one coordinator's clock, and is answered by another one. */
  private final StoreClock clock =
      new StoreClock(Ticker.system()) {
        @Override
        long hear(UUID told, long sentAt) {
          return ofCoordinator;
        }

        @Override
        long now() {
          return ofNode == 0 ? super.now() : ofNode;
        }
      };

  private static long take(CassandraStore store, BucketId bucket, int most) {
    Claim claim = Claim.builder(bucket, LIMIT, LIMIT).needed(most).atLeast(1).build();
    Grant grant = store.execute(List.of(claim)).toCompletableFuture().join().get(0).orElseThrow();
    Await.until("what wasn't granted is written back", store::isQuiet);
    return grant.permits();
  }

  private static BucketId bucket() {
    BucketSpec spec =
        BucketSpec.builder("edge")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofSeconds(10))
            .build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  @Test
  void aWindowIsGrantedOnceAlthoughANodeTookItForOver() {
    ofNode = EDGE - 40_000;
    ofCoordinator = ofNode;
    try (CassandraStore store = Servers.open(Servers.shared(), Map.of(), clock)) {
      BucketId bucket = bucket();
      assertEquals(LIMIT, take(store, bucket, LIMIT));
      ofNode = EDGE + 20_000;
      ofCoordinator = EDGE - 20_000;
      assertEquals(0, take(store, bucket, LIMIT));
      ofCoordinator = ofNode;
      assertEquals(LIMIT, take(store, bucket, LIMIT));
    }
  }

  /** Charges of other nodes to it aren't overlooked either. */
  @Test
  void bothNodesTogetherGetAWindowOnceWhateverTheirClocksSay() {
    ofNode = EDGE - 40_000;
    ofCoordinator = ofNode;
    try (CassandraStore one = Servers.open(Servers.shared(), Map.of(), clock);
        CassandraStore two = Servers.open(Servers.shared(), Map.of(), clock)) {
      Seeds.each(
          6,
          random -> {
            BucketId bucket = bucket();
            long granted = 0;
            for (int i = 0; i < 12; i++) {
              ofCoordinator = EDGE - 1 - random.nextInt(40_000); // the window isn't over there
              ofNode = EDGE + random.nextInt(80_000) - 40_000;
              granted += take(random.nextBoolean() ? one : two, bucket, 1 + random.nextInt(60));
            }
            assertTrue(granted <= LIMIT, "granted " + granted);
          });
    }
  }
}
