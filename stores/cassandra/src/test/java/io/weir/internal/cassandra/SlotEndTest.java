package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Coordinators that answer when the slot has ended for which a node computed a claim. That of a
 * fixed window is the window.
 */
class SlotEndTest {
  private static final long START = 1_700_000_040L * 1_000_000;

  /** Two slots of a limit per second. */
  private static final long LATE = 35_000;

  private static final int LIMIT = 10;

  /** The time of all coordinators, which the node learns from their answers only. */
  private volatile long micros = START;

  private volatile LongUnaryOperator passing = now -> now;

  private final StoreClock clock =
      new StoreClock(Ticker.system()) {
        @Override
        long hear(UUID told, long sentAt) {
          micros = passing.applyAsLong(micros);
          return micros;
        }

        @Override
        long now() {
          return micros == 0 ? super.now() : micros;
        }

        @Override
        long uncertainty() {
          return LATE;
        }
      };

  private static BucketId bucket(Algorithm algorithm) {
    BucketSpec spec =
        BucketSpec.builder("slot").algorithm(algorithm).window(Duration.ofSeconds(1)).build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private static long burst(BucketId bucket) {
    return bucket.spec().algorithm() == Algorithm.LEAKY_BUCKET ? 1 : LIMIT;
  }

  private static Grant take(CassandraStore store, Epoch epoch, BucketId bucket) {
    return execute(store, epoch, Claim.of(bucket, 1, LIMIT, burst(bucket)));
  }

  private static Grant execute(CassandraStore store, Epoch epoch, Claim claim) {
    return store.execute(0, epoch, List.of(claim)).toCompletableFuture().join().stream()
        .map(each -> each.orElseThrow())
        .findFirst()
        .orElseThrow();
  }

  /** Only the first answers are late, as of a server that begins to be further away. */
  @ParameterizedTest
  @EnumSource(value = Algorithm.class, names = "FIXED_WINDOW", mode = EnumSource.Mode.EXCLUDE)
  void theClaimIsMadeAnew(Algorithm algorithm) {
    try (CassandraStore store = Servers.open(Servers.shared(), Map.of(), clock)) {
      Epoch epoch = store.epoch(0, Epoch.NONE).toCompletableFuture().join();
      BucketId bucket = bucket(algorithm);
      passing = now -> Math.max(now, START + LATE);
      Grant grant = take(store, epoch, bucket);
      assertEquals(1, grant.permits());
      assertTrue(grant.life() > 0, "spent at a moment of its slot: " + grant);
      assertEquals(burst(bucket) - 1, left(store, epoch, bucket), "nothing is charged twice");
    }
  }

  private long left(CassandraStore store, Epoch epoch, BucketId bucket) {
    Await.until("what wasn't granted is written back", store::isQuiet);
    return execute(store, epoch, Claim.peek(bucket, 1, LIMIT, burst(bucket))).left();
  }

  /** Nothing is left charged of a claim for which no slot could be had. */
  @ParameterizedTest
  @EnumSource(value = Algorithm.class, names = "FIXED_WINDOW", mode = EnumSource.Mode.EXCLUDE)
  void theClaimIsRefusedIfEachSlotEndsBefore(Algorithm algorithm) {
    try (CassandraStore store = Servers.open(Servers.shared(), Map.of(), clock)) {
      Epoch epoch = store.epoch(0, Epoch.NONE).toCompletableFuture().join();
      BucketId bucket = bucket(algorithm);
      AtomicLong later = new AtomicLong(LATE);
      passing = now -> now + later.getAndUpdate(last -> 4 * last); // by more than all before
      Grant grant = take(store, epoch, bucket);
      passing = now -> now;
      assertEquals(0, grant.permits());
      assertTrue(grant.retry() > 0, "told when to retry: " + grant);
      assertEquals(burst(bucket), left(store, epoch, bucket), "nothing remains charged");
    }
  }
}
