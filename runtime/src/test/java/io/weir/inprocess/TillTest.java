package io.weir.inprocess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.Policy;
import io.weir.algorithm.BucketState;
import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TillTest {
  private static final long SEED = Long.getLong("weir.test.seed", 20_261_121);
  private static final Key KEY = Key.of("caller");
  private static final long WINDOW = 60_000_000;

  private final HandTicker ticker = new HandTicker();
  private final InProcessStore store = new InProcessStore(ticker, 1_000);

  private static Policy policy(String name, Algorithm algorithm) {
    return Policy.builder(name)
        .limit(1_000)
        .window(Duration.ofNanos(WINDOW * 1_000))
        .algorithm(algorithm)
        .build();
  }

  private static Offer offer(Policy policy, long permits, long capacity) {
    return new Offer(policy, permits, capacity, capacity, capacity, 0);
  }

  private static Claim claim(Offer offer) {
    Bucket bucket = new Bucket(offer.policy().shape(), KEY);
    return Claim.of(bucket, offer.permits(), offer.capacity(), offer.burst());
  }

  private static Claim giveBack(Offer offer, Decision taken) {
    Bucket bucket = new Bucket(offer.policy().shape(), KEY);
    List<GiveBack> backs = List.of(new GiveBack(taken.stamp(), taken.permits()));
    return new Claim(bucket, 0, 0, 0, backs, 0, offer.capacity(), offer.burst());
  }

  private static Decision decision(Offer offer, Grant grant) {
    return grant.permits() > 0
        ? offer.admit(KEY, grant.left(), grant.reset(), grant.stamp())
        : offer.refuse(KEY, grant.left(), grant.reset(), grant.retry());
  }

  private static void assertSame(Decision expected, Decision actual, String when) {
    assertEquals(expected.toString(), actual.toString(), when);
    assertEquals(expected.stamp(), actual.stamp(), when);
  }

  /** Whatever happens in between, each answer is that of the algorithm alone. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void answersAsTheAlgorithmDoes(Algorithm algorithm) {
    Policy policy = policy("policy", algorithm);
    Random random = new Random(SEED);
    int tills = 0;
    for (int run = 0; run < 50; run++) {
      ticker.advance(3 * WINDOW);
      Twin twin = new Twin(BucketState.of(policy.shape(), 0));
      for (int i = 0; i < 300; i++) {
        tills += twin.act(policy, random, "run " + run + ", step " + i + ", seed " + SEED);
      }
    }
    boolean steady = algorithm == Algorithm.FIXED_WINDOW || algorithm == Algorithm.SLIDING_WINDOW;
    assertTrue(steady ? tills > 3_000 : tills == 0, "by tills: " + tills);
  }

  /** The same bucket in the store and as the algorithm's state. */
  private final class Twin {
    private final BucketState state;
    private final List<Decision> taken = new ArrayList<>();

    Twin(BucketState state) {
      this.state = state;
    }

    /** One random act; 1 if a till decided it. */
    int act(Policy policy, Random random, String when) {
      if (random.nextInt(5) == 0) {
        ticker.advance(random.nextInt(4) == 0 ? random.nextInt(10_000_000) : random.nextInt(1_000));
      }
      long capacity = random.nextInt(20) == 0 ? 300 : 200;
      Offer offer = offer(policy, 1 + random.nextInt(4), capacity);
      int dice = random.nextInt(30);
      if (dice == 0) {
        Claim look = Claim.look(claim(offer).bucket(), 1, capacity, capacity);
        assertEquals(state.step(look, ticker.epochMicros()), store.settleNow(look), when);
        return 0;
      }
      if (dice == 1 && !taken.isEmpty()) {
        Decision back = taken.remove(random.nextInt(taken.size()));
        Claim claim = giveBack(offer, back);
        assertEquals(state.step(claim, ticker.epochMicros()), store.settleNow(claim), when);
        return 0;
      }
      return take(offer, when);
    }

    private int take(Offer offer, String when) {
      Decision expected = decision(offer, state.step(claim(offer), ticker.epochMicros()));
      Decision now = store.decideNow(offer, KEY);
      Grant grant = now == null ? store.settleNow(claim(offer)) : null;
      assertSame(expected, now != null ? now : decision(offer, grant), when);
      if (expected.admitted()) {
        taken.add(expected);
      }
      return now == null ? 0 : 1;
    }
  }

  private void open(Policy policy) {
    Offer offer = offer(policy, 1, 1_000);
    for (int i = 0; i < 3; i++) { // the place, a steady slot, its till
      store.settleNow(claim(offer));
    }
    assertNotNull(store.decideNow(offer, KEY), "a till");
  }

  @Test
  void whoAsksNowAndThenHasNone() {
    Offer offer = offer(policy("policy", Algorithm.FIXED_WINDOW), 1, 1_000);
    for (int i = 0; i < 10; i++) {
      assertNull(store.decideNow(offer, KEY));
      store.settleNow(claim(offer));
      ticker.advance(WINDOW);
    }
  }

  @Test
  void severalPoliciesAreDecidedTogether() {
    Policy one = policy("one", Algorithm.FIXED_WINDOW);
    Policy other = policy("other", Algorithm.SLIDING_WINDOW);
    open(one);
    open(other);
    List<Decision> parts =
        store.decideNow(List.of(offer(one, 2, 1_000), offer(other, 1, 1_000)), List.of(KEY, KEY));
    assertNotNull(parts);
    assertEquals(List.of(994L, 995L), parts.stream().map(Decision::remaining).toList());
  }

  @Test
  void ofSeveralPoliciesNoneIsTakenIfOneHasTooFew() {
    Policy one = policy("one", Algorithm.FIXED_WINDOW);
    Policy other = policy("other", Algorithm.SLIDING_WINDOW);
    open(one);
    open(other);
    Offer two = offer(one, 2, 1_000);
    assertNull(store.decideNow(List.of(two, offer(other, 998, 1_000)), List.of(KEY, KEY)));
    assertNull(store.decideNow(List.of(two, offer(one, 995, 1_000)), List.of(KEY, KEY)));
    assertEquals(995, store.settleNow(claim(offer(one, 1, 1_000))).left());
  }
}
