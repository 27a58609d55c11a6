package io.weir.internal.writeback;

import io.weir.Key;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.permits.StoreListener;
import io.weir.store.BucketId;
import io.weir.store.Grant;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One node with a store that the test plays, on a time that the test lets pass. */
final class Bench {
  static final Duration FLUSH = Duration.ofMillis(100);
  static final Duration TIMEOUT = Duration.ofMillis(50);

  final VirtualTime time;
  final VirtualClock clock;
  final HandStore store;
  final Told told = new Told();
  final WriteBackCache node;

  Bench() {
    this(1_000);
  }

  Bench(long maxBuckets) {
    time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    clock = new VirtualClock(time, -3_000_000_000L, 0, 0);
    store = new HandStore(clock);
    node = node(maxBuckets, new VirtualScheduler(time));
  }

  /** Another node of the same store. */
  Bench(Bench other) {
    time = other.time;
    clock = other.clock;
    store = other.store;
    node = node(1_000, new VirtualScheduler(time));
  }

  /** A node whose timers are its own. */
  Bench(VirtualTime time, VirtualClock clock, VirtualScheduler scheduler) {
    this.time = time;
    this.clock = clock;
    store = new HandStore(clock);
    node = node(1_000, scheduler);
  }

  private WriteBackCache node(long maxBuckets, VirtualScheduler scheduler) {
    WriteBackSettings settings = new WriteBackSettings(FLUSH, TIMEOUT, maxBuckets, 3, "node");
    return new WriteBackCache(store, settings, clock, scheduler, told);
  }

  static final class Told implements StoreListener {
    final List<Throwable> failures = new ArrayList<>();
    int settles;
    int exchanges;
    int answers;
    long lastTook;

    @Override
    public void storeExecuted(int claims, long nanos) {
      lastTook = nanos;
      settles++;
      exchanges += claims;
    }

    @Override
    public void failed(Throwable cause) {
      failures.add(cause);
    }

    @Override
    public void answered() {
      answers++;
    }
  }

  static PolicyBuilder policy(long limit) {
    return Policy.builder("policy").limit(limit).window(Duration.ofMinutes(1));
  }

  static Policy sliding(long limit) {
    return policy(limit).build();
  }

  static Policy fixed(long limit) {
    return policy(limit).algorithm(Algorithm.FIXED_WINDOW).build();
  }

  static BucketRequest wish(Policy policy, String key, long permits) {
    BucketId bucket = new BucketId(policy.spec(), Key.of(key));
    long limit = policy.limit();
    RequestTerms requestTerms =
        new RequestTerms(policy, permits, limit, limit, policy.burstFor(limit), 0);
    return new BucketRequest(requestTerms, bucket, false);
  }

  static BucketRequest look(Policy policy, String key, long permits) {
    BucketRequest wish = wish(policy, key, permits);
    return new BucketRequest(wish.terms(), wish.bucket(), true);
  }

  CompletableFuture<List<Optional<Grant>>> ask(BucketRequest... wishes) {
    return node.take(List.of(wishes)).toCompletableFuture();
  }

  /** Takes and expects to be answered by now. */
  Grant take(BucketRequest wish) {
    return answer(ask(wish)).orElseThrow();
  }

  static Optional<Grant> answer(CompletableFuture<List<Optional<Grant>>> answers) {
    return answers.getNow(List.of()).get(0);
  }

  /** Takes so many times one permit; how often it got it. */
  long takes(Policy policy, String key, int times) {
    long got = 0;
    for (int i = 0; i < times; i++) {
      got += take(wish(policy, key, 1)).permits();
    }
    return got;
  }

  void pass(Duration duration) {
    time.run(duration);
  }

  void passMillis(long millis) {
    time.run(Duration.ofMillis(millis));
  }
}
