package io.weir.internal.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The memory of a bucket in Redis, beyond its key. */
class MemoryTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long ONCE_BYTES = 120;
  private static final long BUSY_BYTES = 600;

  private final ScriptRig redis = ScriptRig.withoutLifetimes();

  @AfterEach
  void close() {
    redis.close();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aBucketThatIsTouchedOnceIsSmall(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm, "once");
    redis.execute(NOW, Claim.of(bucket, 1, 1_000_000_000, 1_000_000_000));
    assertTakesAtMost(ONCE_BYTES, bucket);
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"FIXED_WINDOW", "SLIDING_WINDOW"})
  void aBucketWithAFarLeaseIsSmall(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm, "far");
    Claim claim = Claim.builder(bucket, 1_000, 1_000).needed(1).far(8).build();
    assertTrue(redis.execute(NOW, claim).isFar());
    assertTakesAtMost(ONCE_BYTES, bucket);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aBucketThatIsBusyAllTheTimeStaysSmall(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm, "busy");
    List<ScriptRig.Moment> moments = new ArrayList<>();
    for (int i = 0; i < 1_400; i++) {
      // As many as drain, on top of so many that no stamp is drained before it is one of many.
      long needed = i == 0 ? 800_000_000 : 1_600_000;
      Claim claim = Claim.of(bucket, needed, 1_000_000_000, 1_000_000_000);
      moments.add(new ScriptRig.Moment(NOW + i * 100_000L, claim));
    }
    redis.execute(moments, 1);
    assertTakesAtMost(BUSY_BYTES, bucket);
  }

  private void assertTakesAtMost(long most, BucketId bucket) {
    long bytes = redis.memory(bucket);
    System.out.printf(Locale.ROOT, "%s: %d bytes%n", bucket.spec().algorithm(), bytes);
    assertTrue(bytes <= most, () -> bytes + " bytes, of " + redis.value(bucket).length);
  }

  private static BucketId bucket(Algorithm algorithm, String key) {
    return new BucketId(
        BucketSpec.builder("memory").algorithm(algorithm).window(Duration.ofSeconds(60)).build(),
        Key.of(key));
  }
}
