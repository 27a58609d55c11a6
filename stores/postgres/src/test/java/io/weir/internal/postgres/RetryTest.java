package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Callers that come back ask another node, whose clock may be behind the server's. */
class RetryTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long WIDTH = 40_000;

  @Test
  void isLaterByTheWidthOfANodesClock() {
    SetClock clock =
        new SetClock(() -> NOW) {
          @Override
          long uncertainty() {
            return WIDTH;
          }
        };
    BucketSpec spec =
        BucketSpec.builder("retry")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(Duration.ofSeconds(1))
            .build();
    BucketId bucket = new BucketId(spec, Key.of(UUID.randomUUID().toString()));
    Claim all = Claim.of(bucket, 20, 20, 20);
    Claim claim = Claim.of(bucket, 10, 20, 20);
    BucketUpdate first =
        BucketArithmetic.leasing(PostgresStore.MIN_LIFE_MICROS).execute(null, all, NOW);
    Grant refused =
        BucketArithmetic.leasing(PostgresStore.MIN_LIFE_MICROS)
            .execute(first.bytes(), claim, NOW)
            .grant();
    try (PostgresStore store = Databases.open(Databases.shared(), Databases.PATIENT, clock)) {
      take(store, all);
      Grant told = take(store, claim);
      assertEquals(refused.retry() + WIDTH, told.retry());
      assertEquals(refused.reset() + WIDTH, told.reset());
    }
  }

  private static Grant take(PostgresStore store, Claim claim) {
    return store.execute(List.of(claim)).toCompletableFuture().join().get(0).orElseThrow();
  }
}
