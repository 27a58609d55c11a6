package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.Grant;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The token bucket against an implementation that others wrote. */
class Bucket4jOracleTest {
  /** A meter that shows what the test says. */
  private static final class Hand implements TimeMeter {
    private long nanos;

    @Override
    public long currentTimeNanos() {
      return nanos;
    }

    @Override
    public boolean isWallClockBased() {
      return false;
    }
  }

  @Test
  void grantsWhatBucket4jGrantsAndHasLeftWhatItHas() {
    Seeds.each(
        300,
        random -> {
          Claims limits = Samples.plain(random, Algorithm.TOKEN_BUCKET);
          Arrivals arrivals = new Arrivals(random, limits.window());
          Hand hand = new Hand();
          hand.nanos = arrivals.next() * 1_000;
          BucketState ours = limits.state(0);
          Bucket theirs = theirs(limits, hand);
          for (int i = 0; i < 200; i++) {
            long now = arrivals.next();
            hand.nanos = now * 1_000;
            long cost = Samples.cost(random, limits);
            boolean expected = theirs.tryConsume(cost);
            Grant grant = ours.execute(limits.take(cost), now);
            assertEquals(expected, grant.permits() > 0, "step " + i);
            assertEquals(theirs.getAvailableTokens(), grant.left(), "left at step " + i);
          }
        });
  }

  private static Bucket theirs(Claims limits, Hand hand) {
    return Bucket.builder()
        .addLimit(
            limit ->
                limit
                    .capacity(limits.burst())
                    .refillGreedy(
                        limits.effectiveLimit(), Duration.ofNanos(limits.window() * 1_000)))
        .withCustomTimePrecision(hand)
        .build();
  }
}
