package io.weir.internal.engine;

import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.metrics.DecisionCounts;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AllOrNothingTest {
  private static final Key KEY = Key.of("caller");

  private final FakeTicker ticker = new FakeTicker();
  private final RateLimiter limiter = RateLimiter.builder().ticker(ticker).build();

  @AfterEach
  void close() {
    limiter.close();
  }

  private static PolicyBuilder policy(String name, long limit, Duration window) {
    return Policy.builder(name).limit(limit).window(window).algorithm(Algorithm.FIXED_WINDOW);
  }

  private Decision take(Policy... policies) {
    return limiter.tryAcquire(
        List.of(policies).stream().map(each -> new PermitRequest(each, KEY)).toList());
  }

  @Test
  void chargesNobodyIfOnePolicyRefuses() {
    Policy wide = policy("wide", 5, Duration.ofHours(1)).build();
    Policy narrow = policy("narrow", 1, Duration.ofMinutes(1)).build();
    assertThat(take(wide, narrow)).admitted().decidedBy("narrow").hasRemaining(0);

    for (int i = 0; i < 20; i++) {
      Decision refused = take(wide, narrow);
      assertThat(refused).refusedFor(Duration.ofMinutes(1)).decidedBy("narrow");
      assertThat(refused.parts().get(0)).hasOutcome(Outcome.ADMITTED).hasRemaining(4);
      assertThat(refused.parts().get(1)).refused().hasRemaining(0);
    }
    ticker.advance(Duration.ofMinutes(1));
    assertThat(take(wide, narrow).parts().get(0)).hasRemaining(3);
  }

  @Test
  void saysOfABucketThatItLeavesFullThatItIsFull() {
    Policy idle = policy("idle", 5, Duration.ofHours(1)).build();
    Policy none = policy("none", 1, Duration.ofMinutes(1)).build();
    take(none);
    assertThat(take(idle, none).parts().get(0)).hasRemaining(5).resetsAfter(Duration.ZERO);
    assertThat(take(idle)).hasRemaining(4).resetsAfter(Duration.ofHours(1));
  }

  @Test
  void keepsTheOrderOfThePartsAndTheLongestRetry() {
    Policy hour = policy("hour", 1, Duration.ofHours(1)).build();
    Policy minute = policy("minute", 1, Duration.ofMinutes(1)).build();
    Policy day = policy("day", 2, Duration.ofDays(1)).build();
    take(hour, minute, day);
    Decision refused = take(hour, minute, day);
    assertThat(refused).refusedFor(Duration.ofHours(1)).decidedBy("hour");
    assertEquals(
        List.of("hour", "minute", "day"),
        refused.parts().stream().map(part -> part.policy().name()).toList());
  }

  @Test
  void countsOneBucketTwiceIfItIsAskedTwice() {
    Policy three = policy("three", 3, Duration.ofHours(1)).build();
    assertThat(take(three, three)).admitted().hasRemaining(1);
    Decision refused = take(three, three);
    assertThat(refused).refused();
    assertThat(limiter.peek(three, KEY)).admitted().hasRemaining(1);
  }

  @Test
  void aWatchingPolicyBlocksNobody() {
    Policy shadow = policy("shadow", 1, Duration.ofHours(1)).shadow(true).build();
    Policy wide = policy("wide", 5, Duration.ofMinutes(1)).build();
    assertThat(take(shadow, wide)).hasOutcome(Outcome.ADMITTED);
    Decision watched = take(shadow, wide);
    assertThat(watched).hasOutcome(Outcome.ADMITTED).decidedBy("wide");
    assertThat(watched.parts().get(0)).hasOutcome(Outcome.SHADOW_REFUSED);
    assertThat(watched.parts().get(1)).hasOutcome(Outcome.ADMITTED).hasRemaining(3);
    assertEquals(0, watched.parts().get(0).permits());
  }

  @Test
  void aWatchingPolicyKeepsNobodyWaitingAndIsNotCharged() {
    Policy shadow = policy("shadow", 2, Duration.ofHours(1)).shadow(true).build();
    Policy narrow = policy("narrow", 1, Duration.ofMinutes(1)).build();
    take(shadow, narrow);
    assertThat(take(shadow, narrow)).refused();
    assertThat(take(shadow)).hasOutcome(Outcome.ADMITTED).hasRemaining(0);
    assertThat(take(shadow, narrow)).refusedFor(Duration.ofMinutes(1)).decidedBy("narrow");
  }

  @Test
  void countsOfARefusedRequestOnlyThePoliciesThatRefusedIt() {
    DecisionCounts counts = new DecisionCounts();
    Policy wide = policy("wide", 5, Duration.ofHours(1)).build();
    Policy none = policy("none", 1, Duration.ofHours(1)).build();
    List<PermitRequest> asks = List.of(new PermitRequest(wide, KEY), new PermitRequest(none, KEY));
    try (RateLimiter counted = RateLimiter.builder().metrics(counts).build()) {
      counted.tryAcquire(asks);
      counted.tryAcquire(asks);
      counted.peek(wide, KEY);
    }
    assertEquals(1, counts.of("wide").of(Outcome.ADMITTED));
    assertEquals(1, counts.of("none").of(Outcome.ADMITTED));
    assertEquals(1, counts.of("none").of(Outcome.REFUSED));
  }

  @Test
  void leavesNoTraceAgainstANaiveModel() {
    for (long seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed);
      FakeTicker time = new FakeTicker();
      try (RateLimiter one = RateLimiter.builder().ticker(time).build()) {
        Naive naive = new Naive();
        List<Policy> policies = randomPolicies(random);
        List<Decision> taken = new ArrayList<>();
        for (int step = 0; step < 150; step++) {
          List<PermitRequest> asks = randomAsks(random, policies);
          Decision decision = one.tryAcquire(asks);
          String expected = naive.decide(asks, time.epochMicros());
          assertEquals(expected, Naive.describe(asks, decision), "seed " + seed + ", step " + step);
          taken.add(decision);
          if (random.nextInt(6) == 0) {
            Decision any = taken.get(random.nextInt(taken.size()));
            one.refund(any);
            naive.refund(taken.indexOf(any));
          }
          time.advance(Duration.ofNanos(1_000L * random.nextInt(40_000)));
        }
      }
    }
  }

  private static List<Policy> randomPolicies(Random random) {
    List<Policy> policies = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      policies.add(
          policy("p" + i, 1 + random.nextInt(12), Duration.ofMillis(10 + random.nextInt(990)))
              .algorithm(random.nextBoolean() ? Algorithm.FIXED_WINDOW : Algorithm.SLIDING_LOG)
              .shadow(random.nextInt(4) == 0)
              .build());
    }
    return policies;
  }

  private static List<PermitRequest> randomAsks(Random random, List<Policy> policies) {
    List<PermitRequest> asks = new ArrayList<>();
    int many = 1 + random.nextInt(4);
    for (int i = 0; i < many; i++) {
      Policy policy = policies.get(random.nextInt(policies.size()));
      Key key = Key.of("caller" + random.nextInt(2));
      asks.add(new PermitRequest(policy, key, 1 + random.nextInt(4), policy.limit()));
    }
    return asks;
  }

  /** Remembers every admission and counts them all over again for each request. */
  private static final class Naive {
    private record Use(Policy policy, Key key, long at, long permits) {}

    private final List<List<Use>> history = new ArrayList<>();

    String decide(List<PermitRequest> asks, long now) {
      List<Use> uses = new ArrayList<>();
      StringBuilder parts = new StringBuilder();
      boolean refused = false;
      history.add(uses);
      for (PermitRequest ask : asks) {
        long left = left(ask, now);
        boolean fits = left >= ask.permits();
        if (fits) {
          uses.add(new Use(ask.policy(), ask.key(), now, ask.permits()));
        }
        refused |= !fits && !ask.policy().shadow();
        parts.append(fits ? "+" : ask.policy().shadow() ? "?" : "-");
      }
      if (refused) {
        uses.clear();
      }
      if (distinct(asks)) {
        asks.forEach(ask -> parts.append(' ').append(left(ask, now)));
      }
      return (refused ? "refused " : "admitted ") + parts;
    }

    private long left(PermitRequest ask, long now) {
      long used =
          history.stream()
              .flatMap(List::stream)
              .filter(use -> use.policy().equals(ask.policy()) && use.key().equals(ask.key()))
              .filter(use -> counts(use, now))
              .mapToLong(Use::permits)
              .sum();
      return ask.limit() - used;
    }

    private static boolean counts(Use use, long now) {
      long window = use.policy().window().toNanos() / 1_000;
      return use.policy().algorithm() == Algorithm.FIXED_WINDOW
          ? use.at() / window == now / window
          : use.at() > now - window;
    }

    // Two asks of one bucket see each other's taking in what is left.
    private static boolean distinct(List<PermitRequest> asks) {
      return asks.stream().map(ask -> ask.policy().name() + ask.key().encoded()).distinct().count()
          == asks.size();
    }

    void refund(int request) {
      history.get(request).clear();
    }

    static String describe(List<PermitRequest> asks, Decision decision) {
      StringBuilder parts = new StringBuilder();
      for (Decision part : decision.parts()) {
        parts.append(
            switch (part.outcome()) {
              case REFUSED -> "-";
              case SHADOW_REFUSED -> "?";
              case ADMITTED, SOFT, ELASTIC -> "+";
            });
      }
      if (distinct(asks)) {
        decision.parts().forEach(part -> parts.append(' ').append(part.remaining()));
      }
      return (decision.admitted() ? "admitted " : "refused ") + parts;
    }
  }
}
