package io.weir.testkit.mutants;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * One bucket whose grants are spent at once or in the last moment of their life, as it happens, and
 * then counted in every interval of a window's length.
 */
final class SpentLate {
  private static final long WINDOW = 1_000_000;
  private static final long MIN_LIFE = 5_000;
  private static final long LIMIT = 20;

  private SpentLate() {}

  static List<String> run(long seed) {
    Random random = new Random(seed);
    BucketId bucket = bucket();
    LiveBucket state = BucketArithmetic.leasing(MIN_LIFE).fresh(bucket.spec());
    List<long[]> spent = new ArrayList<>();
    long now = 1_000 * WINDOW;
    for (int i = 0; i < 500; i++) {
      now += 1 + random.nextInt(20_000);
      Grant grant = state.execute(Claim.of(bucket, 1 + random.nextInt(5), LIMIT, LIMIT), now);
      long late = random.nextBoolean() ? grant.life() - 1 : 0;
      spent.add(new long[] {now + late, grant.permits()});
    }
    return worst(spent);
  }

  private static List<String> worst(List<long[]> spent) {
    spent.sort(Comparator.comparingLong(each -> each[0]));
    int first = 0;
    long sum = 0;
    for (long[] each : spent) {
      sum += each[1];
      while (spent.get(first)[0] <= each[0] - WINDOW) {
        sum -= spent.get(first++)[1];
      }
      if (sum > LIMIT) {
        return List.of(String.format(Locale.ROOT, "limit: %d permits beyond", sum - LIMIT));
      }
    }
    return List.of();
  }

  private static BucketId bucket() {
    BucketSpec spec =
        BucketSpec.builder("late")
            .algorithm(Algorithm.SLIDING_WINDOW)
            .window(Duration.ofSeconds(1))
            .build();
    return new BucketId(spec, Key.of("caller"));
  }
}
