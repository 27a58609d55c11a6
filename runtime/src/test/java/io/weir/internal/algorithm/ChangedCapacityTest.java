package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.Grant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Another effective limit than the last time: what has been used stays used, and no more. */
class ChangedCapacityTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long WINDOW = 60_000_000;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void moreHelpsAtOnce(Algorithm algorithm) {
    Claims few = Claims.of(algorithm, WINDOW, 5);
    Claims many = few.with(50, 50);
    BucketState state = few.state(0);
    assertEquals(5, state.execute(few.take(5), NOW).permits());
    assertEquals(0, state.execute(few.take(1), NOW).permits());
    assertEquals(45, state.execute(many.look(1), NOW).left());
    assertEquals(45, state.execute(many.take(45), NOW).permits());
    assertEquals(0, state.execute(many.take(1), NOW).permits());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void fewerHoldAtOnceAndNothingIsOwedForTheMoreThatWas(Algorithm algorithm) {
    Claims many = Claims.of(algorithm, WINDOW, 100);
    Claims few = many.with(50, 50);
    BucketState state = many.state(0);
    state.execute(many.take(60), NOW);
    Grant refused = state.execute(few.take(1), NOW);
    assertEquals(0, refused.permits());
    assertEquals(0, refused.left());
    assertEquals(0, state.execute(few.take(1), NOW + refused.retry() - 1).permits());
    assertEquals(1, state.execute(few.take(1), NOW + refused.retry()).permits());
  }

  @Test
  void theWaitOfATokenBucketIsTheOneOfTheNewRate() {
    Claims slow = Claims.of(Algorithm.TOKEN_BUCKET, WINDOW, 6, 10);
    BucketState state = slow.state(0);
    assertEquals(10_000_000, state.execute(slow.take(10), NOW).reset());
    assertEquals(1_000_000, state.execute(slow.with(60, 10).look(1), NOW).retry());
    assertEquals(10_000_000, state.execute(slow.look(1), NOW).retry());
  }

  @Test
  void whatDrainedBeforeAChangeDrainedAtTheOldRate() {
    Claims slow = Claims.of(Algorithm.TOKEN_BUCKET, WINDOW, 6, 10);
    Claims fast = slow.with(60, 10);
    BucketState state = slow.state(0);
    state.execute(slow.take(10), NOW);
    assertEquals(0, state.execute(fast.take(1), NOW + 10_000_000).left(), "one came back");
    assertEquals(5, state.execute(slow.look(1), NOW + 15_000_000).left());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5_000})
  void whoOnlyLooksChangesNothingForTheTimeToCome(long minLife) {
    Claims basic = Claims.of(Algorithm.TOKEN_BUCKET, WINDOW, 60);
    Claims premium = basic.with(6_000, 6_000);
    BucketState state = premium.state(minLife);
    BucketState unseen = premium.state(minLife);
    for (BucketState each : List.of(state, unseen)) {
      assertEquals(6_000, each.execute(premium.take(6_000), NOW).permits());
    }
    assertEquals(0, state.execute(basic.look(1), NOW).left());
    long later = NOW + 10_000_000;
    assertEquals(
        unseen.execute(premium.upTo(6_000), later), state.execute(premium.upTo(6_000), later));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void neverMoreThanTheLargestCapacityWhateverTheOrder(Algorithm algorithm) {
    Seeds.each(
        60,
        random -> {
          Claims largest = Samples.limits(random, algorithm);
          BucketState state = largest.state(0);
          Arrivals arrivals = new Arrivals(random, largest.window());
          Spent spent = new Spent();
          for (int i = 0; i < 200; i++) {
            long effectiveLimit = 1L + random.nextInt((int) largest.effectiveLimit());
            long burst =
                largest.leaks() ? 1L + random.nextInt((int) largest.burst()) : effectiveLimit;
            Claims inForce = largest.with(effectiveLimit, burst);
            long now = arrivals.next();
            spent.add(now, state.execute(inForce.upTo(1L + random.nextInt(20)), now).permits());
          }
          spent.assertWithin(largest);
        });
  }

  @Test
  void changingTheRateBackAndForthMintsNothing() {
    Claims slow = Claims.of(Algorithm.TOKEN_BUCKET, WINDOW, 7, 10);
    Claims fast = slow.with(1_000_003, 10);
    BucketState state = slow.state(0);
    state.execute(slow.take(10), NOW);
    for (int i = 0; i < 10_000; i++) {
      state.execute(fast.take(1), NOW);
      Grant grant = state.execute(slow.take(1), NOW);
      assertEquals(0, grant.left());
      assertTrue(grant.retry() == 8_571_429, "the level has not moved: " + grant.retry());
    }
  }
}
