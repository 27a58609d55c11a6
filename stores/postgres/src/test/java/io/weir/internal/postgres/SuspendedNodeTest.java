package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A machine that was suspended, whose even clock doesn't know that time has passed. */
class SuspendedNodeTest {
  @Test
  void grantsEndAsThoseOfOtherNodesDo() {
    AtomicLong slept = new AtomicLong();
    Ticker ticker =
        new Ticker() {
          @Override
          public long nanoTime() {
            return System.nanoTime() - slept.get();
          }

          @Override
          public long epochMicros() {
            return Ticker.system().epochMicros();
          }
        };
    BucketSpec spec =
        BucketSpec.builder("suspended" + UUID.randomUUID())
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    BucketId bucket = new BucketId(spec, Key.of("caller"));
    BucketId earlier = new BucketId(spec, Key.of("earlier"));
    try (PostgresStore awake = Databases.open(Databases.shared());
        PostgresStore suspended =
            PostgresProvider.open(
                PostgresAddress.parse(URI.create(Databases.shared())),
                new PostgresSettings(name -> Databases.PATIENT.getOrDefault(name, "")),
                BucketHasher.of("secret"),
                new StoreClock(ticker),
                ticker)) {
      take(suspended, earlier);
      slept.set(Duration.ofHours(1).toNanos());
      long life = take(suspended, bucket).life();
      long right = take(awake, bucket).life();
      assertTrue(life <= right + Duration.ofMinutes(10).toMillis() * 1_000, life + " " + right);
    }
  }

  private static Grant take(PostgresStore store, BucketId bucket) {
    Claim claim = Claim.of(bucket, 1, 100, 100);
    return store.execute(List.of(claim)).toCompletableFuture().join().get(0).orElseThrow();
  }
}
