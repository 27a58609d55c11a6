package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.RateLimiterBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.Seeds;
import io.weir.simulation.oracle.Bound;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One caller attacks the count itself: many nodes at once, from node to node, at the edges of
 * windows, as soon as it may retry, behind a flood of others, and while the store is in trouble.
 * Whatever it does, it gets no more than the limit by the definition of the algorithm; a request
 * that waited counts when the store decided it.
 */
class CounterAttackTest {
  private static final int CASES = Seeds.times(150);
  private static final long SEED = Seeds.first();
  private static final int STEPS = 40;
  private static final int FEW_BUCKETS = 20;

  private static final Logger LOG = Logger.getLogger("io.weir");

  @BeforeAll
  static void ofTroubleWeKnow() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  @Test
  void nobodyGetsMoreThanTheLimitHoweverHeComes() {
    int reached = 0;
    long requests = 0;
    for (int i = 0; i < CASES; i++) {
      Attack attack = new Attack(new Random(SEED + i));
      attack.run();
      requests += attack.requests;
      reached += attack.excess(1) > 0 ? 1 : 0;
      assertEquals(0, attack.excess(0), "seed " + (SEED + i) + ": " + attack.policy);
    }
    assertTrue(reached > CASES / 2, "only " + reached + " attacks came as far as the limit");
    System.out.printf(
        Locale.ROOT,
        "attacks on the count: %,d cases of %,d requests, seed %d%n",
        CASES,
        requests,
        SEED);
  }

  /** One caller, some nodes, one time line. */
  private static final class Attack {
    private final Random random;
    private final VirtualTime time = new VirtualTime(FakeTicker.START);
    private final LeaseStore store = new LeaseStore(time);
    private final List<RateLimiter> nodes = new ArrayList<>();
    private final List<Long> admitted = new ArrayList<>();
    private final Policy policy;
    private Duration retry = Duration.ZERO;
    private long requests;
    private int others;

    Attack(Random random) {
      this.random = random;
      List<Algorithm> algorithms = List.of(Algorithm.values());
      int[] seconds = {1, 2, 5, 20};
      this.policy =
          Policy.builder("attacked")
              .algorithm(algorithms.get(random.nextInt(algorithms.size())))
              .limit(1 + random.nextInt(40))
              .window(Duration.ofSeconds(seconds[random.nextInt(seconds.length)]))
              .onStoreFailure(OnStoreFailure.CLOSED)
              .build();
      boolean shared = random.nextInt(4) > 0;
      store.live = shared ? 1 + random.nextInt(5) : 1;
      for (int i = 0; i < store.live; i++) {
        nodes.add(node("node" + i, shared));
      }
    }

    private RateLimiter node(String name, boolean shared) {
      VirtualClock clock = new VirtualClock(time, -7, 0, 0);
      RateLimiterBuilder builder =
          RateLimiter.builder()
              .ticker(clock)
              .scheduler(new VirtualScheduler(time, clock, Runnable::run))
              .nodeName(name);
      return shared
          ? builder.store(store).cacheBuckets(FEW_BUCKETS).build()
          : builder.store("inprocess:", Attack::fewBuckets).build();
    }

    private static String fewBuckets(String setting) {
      return setting.equals("weir.store.max-buckets") ? Integer.toString(FEW_BUCKETS) : "";
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(7)) {
          case 0 -> burst(1 + random.nextInt(2 * (int) policy.limit()));
          case 1 -> rotate();
          case 2 -> goToAnEdge();
          case 3 -> comeAsSoonAsAllowed();
          case 4 -> flood();
          case 5 -> pass(random.nextLong(policy.window().toNanos() / 3_000));
          default -> trouble();
        }
      }
      store.trouble = LeaseStore.Trouble.NONE;
      pass(200_000);
      store.atOnce = true;
      nodes.forEach(RateLimiter::close);
    }

    private void burst(int size) {
      for (int i = 0; i < size; i++) {
        ask(random.nextInt(nodes.size()), Key.of("attacker"));
      }
      pass(random.nextInt(3_000));
    }

    private void rotate() {
      for (int i = 0; i < 3 * nodes.size(); i++) {
        ask(i % nodes.size(), Key.of("attacker"));
        pass(random.nextInt(3_000));
      }
    }

    /** A burst just before an edge of windows and slots, and one just behind it. */
    private void goToAnEdge() {
      long window = policy.window().toNanos() / 1_000;
      long grid = random.nextBoolean() ? window : Math.max(1, window / 60);
      long edge = (time.now() / grid + 1) * grid;
      int[] before = {0, 1, 499, 500, 501, 1_000, 2_500, 6_000};
      time.runUntil(Math.max(time.now(), edge - before[random.nextInt(before.length)]));
      burst(1 + random.nextInt((int) policy.limit()));
      time.runUntil(Math.max(time.now(), edge));
      burst(1 + random.nextInt((int) policy.limit()));
    }

    private void comeAsSoonAsAllowed() {
      pass(Math.min(policy.window().toNanos(), retry.toNanos()) / 1_000);
      burst(1 + random.nextInt((int) policy.limit()));
    }

    /** Evicts what the node remembers of the caller. */
    private void flood() {
      for (int i = 0; i < 3 * FEW_BUCKETS; i++) {
        ask(random.nextInt(nodes.size()), Key.of("other" + others++));
      }
      pass(random.nextInt(5_000));
    }

    private void trouble() {
      List<LeaseStore.Trouble> all = List.of(LeaseStore.Trouble.values());
      store.trouble =
          random.nextBoolean() ? LeaseStore.Trouble.NONE : all.get(random.nextInt(all.size()));
      pass(random.nextInt(200_000));
    }

    private void pass(long micros) {
      time.runUntil(time.now() + micros);
    }

    private void ask(int node, Key key) {
      requests++;
      long asked = time.now();
      nodes
          .get(node)
          .tryAcquireAsync(List.of(new PermitRequest(policy, key)))
          .thenAccept(decision -> decided(key, asked, decision));
    }

    private void decided(Key key, long asked, Decision decision) {
      if (key.equals(Key.of("attacker"))) {
        if (decision.admitted()) {
          admitted.add(Math.max(asked, time.now() - LeaseStore.ONE_WAY));
        } else {
          retry = decision.retryAfter();
        }
      }
    }

    /** Permits beyond a limit that is lower by so many. */
    long excess(long lower) {
      Bound whole = Bound.of(policy);
      Bound bound =
          new Bound(
              whole.algorithm(),
              whole.window(),
              whole.effectiveLimit() - lower,
              whole.burst() - lower,
              0);
      long[] times = admitted.stream().mapToLong(Long::longValue).sorted().toArray();
      return bound.excess(times, admitted.stream().mapToLong(each -> 1).toArray());
    }
  }
}
