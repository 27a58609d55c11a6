package io.weir.testkit.mutants;

import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Buckets with their own refill. */
final class Refilled {
  private static final long WINDOW = 1_000_000;
  private static final long MIN_LIFE = 5_000;
  private static final long LIMIT = 20;

  private Refilled() {}

  /** The time of what was spent, and of its grant the stamp. */
  private record Spent(long time, long stamp) {}

  /**
   * The arithmetic alone: all that is free is taken, and spent at once or in the last moment of its
   * life; some of it is refunded sooner or later, and refusals are reported late.
   */
  static List<String> arithmetic(long seed) {
    Random random = new Random(seed);
    long refill = seed % 2 == 0 ? 6 : 15;
    BucketId bucket = bucket(seed % 4 >= 2);
    LiveBucket state = BucketArithmetic.leasing(MIN_LIFE).fresh(bucket.spec());
    int keeps = random.nextInt(40);
    Deque<Spent> refundable = new ArrayDeque<>();
    List<Spent> spent = new ArrayList<>();
    long now = 1_000 * WINDOW;
    for (int i = 0; i < 600; i++) {
      now += 1 + random.nextInt(100_000);
      Claim.Builder claim = Claim.builder(bucket, refill, LIMIT);
      while (refundable.size() > keeps && random.nextInt(4) > 0) {
        claim.giveBack(new GiveBack(refundable.removeFirst().stamp(), 1));
      }
      if (bucket.spec().strict() && random.nextInt(9) == 0) {
        claim.refusedAt(now - random.nextInt(900_000));
      }
      long left = state.execute(claim.build(), now).left();
      if (left > 0) {
        Grant grant = state.execute(Claim.of(bucket, left, refill, LIMIT), now);
        long late = random.nextBoolean() ? grant.life() - 1 : 0;
        for (long n = 0; n < left; n++) {
          (random.nextBoolean() ? spent : refundable).add(new Spent(now + late, grant.stamp()));
        }
      }
    }
    spent.addAll(refundable);
    return worst(spent, refill);
  }

  private static List<String> worst(List<Spent> spent, long refill) {
    spent.sort(Comparator.comparingLong(Spent::time));
    for (int first = 0; first < spent.size(); first++) {
      for (int last = first; last < spent.size(); last++) {
        long windows = (spent.get(last).time() - spent.get(first).time()) / WINDOW + 1;
        long beyond = last - first + 1 - LIMIT - refill * windows;
        if (beyond > 0) {
          return List.of(String.format(Locale.ROOT, "limit: %d permits beyond", beyond));
        }
      }
    }
    return List.of();
  }

  private static BucketId bucket(boolean strict) {
    BucketSpec spec =
        BucketSpec.builder("refilled")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(Duration.ofSeconds(1))
            .refill(true)
            .strict(strict)
            .build();
    return new BucketId(spec, Key.of("caller"));
  }

  /** The last refusal by what a node knows counts at all nodes, and not for longer. */
  static List<String> told(long seed) {
    Policy policy =
        Policy.builder("strict")
            .limit(5)
            .window(Duration.ofSeconds(4))
            .algorithm(Algorithm.TOKEN_BUCKET)
            .refill(1)
            .strict(true)
            .build();
    Lab lab = new Lab(Lab.cluster(seed, 2));
    lab.ask(0, 2, policy, "first", 2, Lab.millis(20));
    lab.ask(0, policy, "who", 20, Lab.millis(60));
    if (seed % 2 == 0) {
      lab.rest(Lab.millis(3_985));
      lab.most("strict", 0, lab.ask(1, policy, "who", 1, Lab.millis(3)));
    } else {
      lab.rest(Lab.millis(4_002));
      lab.least("retry", 1, lab.ask(1, policy, "who", 1, Lab.millis(3)));
    }
    return lab.verdict();
  }
}
