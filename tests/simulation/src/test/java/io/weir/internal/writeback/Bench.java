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
public final class Bench {
  public static final Duration FLUSH = Duration.ofMillis(100);
  public static final Duration TIMEOUT = Duration.ofMillis(50);

  public final VirtualTime time;
  public final VirtualClock clock;
  public final HandStore store;
  public final Told told = new Told();
  public final WriteBackCache node;

  public Bench() {
    this(1_000);
  }

  public Bench(long maxBuckets) {
    time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    clock = new VirtualClock(time, -3_000_000_000L, 0, 0);
    store = new HandStore(clock);
    node = node(maxBuckets, new VirtualScheduler(time));
  }

  /** Another node of the same store. */
  public Bench(Bench other) {
    time = other.time;
    clock = other.clock;
    store = other.store;
    node = node(1_000, new VirtualScheduler(time));
  }

  /** A node whose timers are its own. */
  public Bench(VirtualTime time, VirtualClock clock, VirtualScheduler scheduler) {
    this.time = time;
    this.clock = clock;
    store = new HandStore(clock);
    node = node(1_000, scheduler);
  }

  private WriteBackCache node(long maxBuckets, VirtualScheduler scheduler) {
    WriteBackSettings settings = new WriteBackSettings(FLUSH, TIMEOUT, maxBuckets, 3, "node", true);
    return new WriteBackCache(store, settings, clock, scheduler, told);
  }

  public static final class Told implements StoreListener {
    public final List<Throwable> failures = new ArrayList<>();
    public int batches;
    public int exchanges;
    public int answers;
    public long lastTook;

    /** Runs when the store has answered, before the answers are processed. */
    public Runnable onExecuted = () -> {};

    @Override
    public void storeExecuted(int claims, long nanos) {
      onExecuted.run();
      lastTook = nanos;
      batches++;
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

  public static PolicyBuilder policy(long limit) {
    return Policy.builder("policy").limit(limit).window(Duration.ofMinutes(1));
  }

  public static Policy sliding(long limit) {
    return policy(limit).build();
  }

  public static Policy fixed(long limit) {
    return policy(limit).algorithm(Algorithm.FIXED_WINDOW).build();
  }

  public static BucketRequest request(Policy policy, String key, long permits) {
    BucketId bucket = new BucketId(policy.spec(), Key.of(key));
    long limit = policy.limit();
    RequestTerms requestTerms =
        new RequestTerms(policy, permits, limit, limit, policy.burstFor(limit), 0);
    return new BucketRequest(requestTerms, bucket, false);
  }

  public static BucketRequest peek(Policy policy, String key, long permits) {
    BucketRequest request = request(policy, key, permits);
    return new BucketRequest(request.terms(), request.bucket(), true);
  }

  public CompletableFuture<List<Optional<Grant>>> ask(BucketRequest... requests) {
    return node.take(List.of(requests)).toCompletableFuture();
  }

  /** Takes and expects to be answered by now. */
  public Grant take(BucketRequest request) {
    return answer(ask(request)).orElseThrow();
  }

  public static Optional<Grant> answer(CompletableFuture<List<Optional<Grant>>> answers) {
    return answers.getNow(List.of()).get(0);
  }

  /** Takes so many times one permit; how often it got it. */
  public long takes(Policy policy, String key, int times) {
    long got = 0;
    for (int i = 0; i < times; i++) {
      got += take(request(policy, key, 1)).permits();
    }
    return got;
  }

  public void pass(Duration duration) {
    time.run(duration);
  }

  public void passMillis(long millis) {
    time.run(Duration.ofMillis(millis));
  }
}
