package io.weir.testkit.mutants;

import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.permits.StoreListener;
import io.weir.internal.writeback.WriteBackCache;
import io.weir.internal.writeback.WriteBackSettings;
import io.weir.store.BucketId;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import io.weir.testkit.store.SimulatedStore;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Many buckets in one cache, and other limits for the same bucket. */
final class Cache {
  private Cache() {}

  /** More buckets than the cache holds: what falls out of it still goes back. */
  static List<String> flooded(long seed) {
    Policy policy = Lab.policy(Algorithm.FIXED_WINDOW, 1_000, Duration.ofMinutes(1));
    Lab lab = new Lab(Lab.cluster(seed, 1).settings(Lab.settings(100, 20)));
    for (int i = 0; i < 120; i++) {
      lab.ask(0, policy, "who " + i % 60, 30, Lab.millis(30));
    }
    lab.tail(Duration.ofSeconds(3));
    return lab.verdict();
  }

  /** The limit changes to and fro while leases are in use, or when they have been given back. */
  static List<String> reloaded(long seed) {
    List<Policy> policies = new ArrayList<>();
    for (long limit : new long[] {1_000, 900, 1_000, 900}) {
      policies.add(Lab.policy(Algorithm.FIXED_WINDOW, limit, Duration.ofSeconds(4)));
    }
    Lab lab = new Lab(Lab.cluster(seed, 2));
    long rest = seed % 2 == 0 ? 300 : 0;
    long admitted = 0;
    for (int i = 0; i < 3; i++) {
      for (Policy policy : policies) {
        admitted += lab.ask(0, 2, policy, "who", 300, Lab.millis(900 - rest));
        lab.rest(Lab.millis(rest));
      }
      lab.rest(Lab.millis(400));
    }
    lab.least("use", 2_600, admitted);
    return lab.verdict();
  }

  /** Two limits at the same nodes, a small and a large one, both hot. */
  static List<String> sideBySide(long seed) {
    Policy small = policy("small", 60);
    Policy large = policy("large", 10_000);
    Load load =
        Load.together(
            List.of(
                Load.poisson(Caller.of(small, "who"), 40),
                Load.poisson(Caller.of(large, "who"), 200)));
    Lab lab = new Lab(Lab.cluster(seed, 1).load(load));
    lab.rest(Duration.ofSeconds(20));
    return lab.verdict();
  }

  private static Policy policy(String name, long limit) {
    return Policy.builder(name)
        .limit(limit)
        .window(Duration.ofSeconds(20))
        .algorithm(Algorithm.FIXED_WINDOW)
        .build();
  }

  /** Many buckets were asked for once, one is hot: the flush looks at that one. */
  static List<String> visited(long seed) {
    VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    WriteBackCache cache = cache(time);
    Policy policy = Lab.policy(Algorithm.SLIDING_WINDOW, 100, Duration.ofMinutes(1));
    for (int i = 0; i < 500; i++) {
      cache.take(List.of(wish(policy, "once " + i)));
    }
    time.run(Duration.ofSeconds(30));
    long before = cache.visited();
    for (int i = 0; i < 100; i++) {
      cache.take(List.of(wish(policy, "hot " + seed)));
      time.run(Lab.millis(50));
    }
    long visits = cache.visited() - before;
    long flushes = 50;
    return visits <= 2 * flushes
        ? List.of()
        : List.of(String.format(Locale.ROOT, "work: %d visits in %d flushes", visits, flushes));
  }

  private static WriteBackCache cache(VirtualTime time) {
    return new WriteBackCache(
        new SimulatedStore(time::now),
        new WriteBackSettings(Lab.FLUSH, Lab.FLUSH, 10_000, 1, "node", true),
        new VirtualClock(time, 0, 0, 0),
        new VirtualScheduler(time),
        new StoreListener() {
          @Override
          public void storeExecuted(int claims, long nanos) {}

          @Override
          public void failed(Throwable cause) {}

          @Override
          public void answered() {}
        });
  }

  private static BucketRequest wish(Policy policy, String who) {
    long limit = policy.limit();
    RequestTerms terms = new RequestTerms(policy, 1, limit, limit, limit, 0);
    return new BucketRequest(terms, new BucketId(policy.spec(), Key.of(who)), false);
  }
}
