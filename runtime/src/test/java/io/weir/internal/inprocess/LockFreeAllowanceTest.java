package io.weir.internal.inprocess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.internal.algorithm.BucketKind;
import io.weir.internal.algorithm.BucketState;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.seeds.Seeds;
import io.weir.store.BucketId;
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

class LockFreeAllowanceTest {
  private static final long SEED = Seeds.first();
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

  private static RequestTerms terms(Policy policy, long permits, long effectiveLimit) {
    return new RequestTerms(policy, permits, effectiveLimit, effectiveLimit, effectiveLimit, 0);
  }

  private static Claim claim(RequestTerms terms) {
    BucketId bucket = new BucketId(terms.policy().spec(), KEY);
    return Claim.of(bucket, terms.permits(), terms.effectiveLimit(), terms.burst());
  }

  private static Claim giveBack(RequestTerms terms, Decision taken) {
    BucketId bucket = new BucketId(terms.policy().spec(), KEY);
    List<GiveBack> giveBacks =
        List.of(new GiveBack(RequestDecision.cast(taken).stamp(), taken.permits()));
    return Claim.builder(bucket, terms.effectiveLimit(), terms.burst())
        .giveBacks(giveBacks)
        .build();
  }

  private static Decision decision(RequestTerms terms, Grant grant) {
    return grant.permits() > 0
        ? RequestDecision.admit(terms, KEY, grant.left(), grant.reset(), grant.stamp())
        : RequestDecision.refuse(terms, KEY, grant.left(), grant.reset(), grant.retry());
  }

  private static void assertSame(Decision expected, Decision actual, String when) {
    assertEquals(expected.toString(), actual.toString(), when);
    assertEquals(
        RequestDecision.cast(expected).stamp(), RequestDecision.cast(actual).stamp(), when);
  }

  /** Whatever happens in between, each answer is that of the algorithm alone. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void answersAsTheAlgorithmDoes(Algorithm algorithm) {
    Policy policy = policy("policy", algorithm);
    Random random = new Random(SEED);
    int byAllowance = 0;
    int refusals = 0;
    for (int run = 0; run < 50; run++) {
      ticker.advance(3 * WINDOW);
      Twin twin = new Twin(BucketKind.bucket(policy.spec(), 0));
      for (int i = 0; i < 300; i++) {
        twin.act(policy, random, "run " + run + ", step " + i + ", seed " + SEED);
      }
      byAllowance += twin.byAllowance;
      refusals += twin.refusals;
    }
    boolean steady = algorithm == Algorithm.FIXED_WINDOW || algorithm == Algorithm.SLIDING_WINDOW;
    assertTrue(steady ? byAllowance > 3_000 : byAllowance == 0, "by an allowance: " + byAllowance);
    assertTrue(refusals > 100, "by refusals that stand: " + refusals);
  }

  /** The same bucket in the store and as the algorithm's state. */
  private final class Twin {
    private final BucketState state;
    private final List<Decision> taken = new ArrayList<>();
    private int byAllowance;
    private int refusals;

    Twin(BucketState state) {
      this.state = state;
    }

    /** One random act. */
    void act(Policy policy, Random random, String when) {
      if (random.nextInt(5) == 0) {
        ticker.advance(random.nextInt(4) == 0 ? random.nextInt(10_000_000) : random.nextInt(1_000));
      }
      long effectiveLimit = random.nextInt(20) == 0 ? 300 : 200;
      RequestTerms terms = terms(policy, 1 + random.nextInt(4), effectiveLimit);
      int dice = random.nextInt(30);
      if (dice == 0) {
        Claim look = Claim.peek(claim(terms).bucket(), 1, effectiveLimit, effectiveLimit);
        assertEquals(state.execute(look, ticker.epochMicros()), store.executeNow(look), when);
        return;
      }
      if (dice == 1 && !taken.isEmpty()) {
        Decision back = taken.remove(random.nextInt(taken.size()));
        Claim claim = giveBack(terms, back);
        assertEquals(state.execute(claim, ticker.epochMicros()), store.executeNow(claim), when);
        return;
      }
      take(terms, when);
    }

    private void take(RequestTerms terms, String when) {
      Decision expected = decision(terms, state.execute(claim(terms), ticker.epochMicros()));
      Decision now = store.decideNow(terms, KEY);
      Grant grant = now == null ? store.executeNow(claim(terms)) : null;
      assertSame(expected, now != null ? now : decision(terms, grant), when);
      if (expected.admitted()) {
        taken.add(expected);
      }
      byAllowance += now != null && now.admitted() ? 1 : 0;
      refusals += now != null && !now.admitted() ? 1 : 0;
    }
  }

  private void open(Policy policy) {
    RequestTerms terms = terms(policy, 1, 1_000);
    for (int i = 0; i < 3; i++) { // the slot of the bucket, a steady time, its allowance
      store.executeNow(claim(terms));
    }
    assertNotNull(store.decideNow(terms, KEY), "an allowance");
  }

  @Test
  void whoAsksNowAndThenHasNone() {
    RequestTerms terms = terms(policy("policy", Algorithm.FIXED_WINDOW), 1, 1_000);
    for (int i = 0; i < 10; i++) {
      assertNull(store.decideNow(terms, KEY));
      store.executeNow(claim(terms));
      ticker.advance(WINDOW);
    }
  }

  @Test
  void staysOpenWhenTheStoreSweeps() {
    Policy policy = policy("policy", Algorithm.FIXED_WINDOW);
    open(policy);
    for (int i = 0; i < 10; i++) {
      ticker.advance(WINDOW / 1_000); // a sweep is due each time
      assertNotNull(store.decideNow(terms(policy, 1, 1_000), KEY));
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whoIsRefusedAgainIsToldSoUntilThereIsMore(Algorithm algorithm) {
    RequestTerms terms = terms(policy("policy", algorithm), 2, 3);
    store.executeNow(claim(terms));
    Grant refused = store.executeNow(claim(terms));
    assertNotNull(refused);
    ticker.advance(refused.reset() - 1);
    Decision again = store.decideNow(terms, KEY);
    assertNotNull(again);
    assertSame(
        RequestDecision.refuse(terms, KEY, 1, 1, refused.retry() - refused.reset() + 1),
        again,
        "again");
    ticker.advance(1);
    assertNull(store.decideNow(terms, KEY));
  }

  @Test
  void whatIsGivenBackIsThereAtOnceForWhoWasRefused() {
    RequestTerms terms = terms(policy("policy", Algorithm.SLIDING_WINDOW), 1, 1);
    Grant granted = store.executeNow(claim(terms));
    assertNotNull(granted);
    store.executeNow(claim(terms));
    assertNotNull(store.decideNow(terms, KEY));
    Decision taken = RequestDecision.admit(terms, KEY, 0, granted.reset(), granted.stamp());
    store.executeNow(giveBack(terms, taken));
    assertNull(store.decideNow(terms, KEY));
  }

  @Test
  void severalPoliciesAreDecidedTogether() {
    Policy one = policy("one", Algorithm.FIXED_WINDOW);
    Policy other = policy("other", Algorithm.SLIDING_WINDOW);
    open(one);
    open(other);
    List<Decision> parts =
        store.decideNow(List.of(terms(one, 2, 1_000), terms(other, 1, 1_000)), List.of(KEY, KEY));
    assertNotNull(parts);
    assertEquals(List.of(994L, 995L), parts.stream().map(Decision::remaining).toList());
  }

  @Test
  void ofSeveralPoliciesNoneIsTakenIfOneHasTooFew() {
    Policy one = policy("one", Algorithm.FIXED_WINDOW);
    Policy other = policy("other", Algorithm.SLIDING_WINDOW);
    open(one);
    open(other);
    RequestTerms two = terms(one, 2, 1_000);
    assertNull(store.decideNow(List.of(two, terms(other, 998, 1_000)), List.of(KEY, KEY)));
    assertNull(store.decideNow(List.of(two, terms(one, 995, 1_000)), List.of(KEY, KEY)));
    assertEquals(995, store.executeNow(claim(terms(one, 1, 1_000))).left());
  }
}
