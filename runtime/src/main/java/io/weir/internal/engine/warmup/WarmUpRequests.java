package io.weir.internal.engine.warmup;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Scope;
import io.weir.internal.permits.PermitSource;
import io.weir.internal.writeback.WriteBackCache;
import io.weir.store.BucketId;
import io.weir.store.LeasingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Runs synthetic requests, decided by a limiter over the real store, so that everything that a
 * decision needs has been loaded, connected and run before the first real request: in a cold JVM
 * that takes longer than a decision may wait for the store.
 *
 * <p>The limiter is assembled like the real one and shares only the store and the scheduler with
 * it: neither buckets nor breakers, metrics or log. Its buckets have random keys and a window of a
 * second.
 *
 * <p>Confine to one thread.
 */
public final class WarmUpRequests implements AutoCloseable {
  private static final String NAME = "weir.warm-up";
  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final int LIMIT = 3;

  public static final int BUCKETS = 1_000;

  private final String id = UUID.randomUUID().toString();
  private final List<Policy> policies;
  private final Policy away;
  private final WriteBackCache source;
  private final RateLimiter limiter;
  private final Duration patience;
  private int rounds;

  /**
   * Prepares the requests.
   *
   * @param store the real store; not closed
   * @param patience the longest duration of a single step
   * @param cache makes a write-back cache over a store for a node of the given name
   * @param limiter makes a limiter over that cache; not closed
   */
  public WarmUpRequests(
      LeasingStore store,
      Duration patience,
      BiFunction<LeasingStore, String, WriteBackCache> cache,
      Function<PermitSource, RateLimiter> limiter) {
    this.policies = store.algorithms().stream().map(each -> policy(NAME, each)).toList();
    this.away = policy(WarmUpStoreWrapper.AWAY, policies.get(0).algorithm());
    this.patience = patience;
    this.source = cache.apply(new WarmUpStoreWrapper(store), id);
    this.limiter = limiter.apply(source);
  }

  private static Policy policy(String name, Algorithm algorithm) {
    return Policy.builder(name)
        .scope(Scope.REGION)
        .algorithm(algorithm)
        .limit(LIMIT)
        .window(WINDOW)
        .onStoreFailure(OnStoreFailure.LOCAL)
        .build();
  }

  /**
   * Runs everything that may happen to a request, by each algorithm; ends early if the store
   * doesn't answer.
   *
   * @param goesOn whether there is time for another step, which takes at most the patience
   */
  void round(BooleanSupplier goesOn) {
    rounds++;
    limiter.refund(limiter.tryAcquire(away, key("away"))); // without the store
    boolean answers = true;
    for (int i = 0; answers && i < policies.size() && (i == 0 || goesOn.getAsBoolean()); i++) {
      answers = rehearse(policies.get(i), goesOn);
    }
  }

  private boolean rehearse(Policy policy, BooleanSupplier goesOn) {
    String algorithm = policy.algorithm().name();
    Key key = key(algorithm);
    Decision first = limiter.tryAcquire(policy, key); // by the store
    if (first.degraded()) {
      return false;
    }
    PermitRequest one = new PermitRequest(policy, key(algorithm + "-one"));
    PermitRequest other = new PermitRequest(policy, key(algorithm + "-other"));
    List<Runnable> steps =
        List.of(
            () -> crowd(policy, key), // several at once, some of them refused
            () -> limiter.refund(first),
            () -> limiter.tryAcquire(policy, key), // with what was given back
            () -> limiter.tryAcquire(policy, key), // refused without asking the store
            () -> limiter.refund(limiter.tryAcquire(List.of(one, other)))); // two policies
    for (Runnable step : steps) {
      if (!goesOn.getAsBoolean()) {
        return false;
      }
      step.run();
    }
    return true;
  }

  private void crowd(Policy policy, Key key) {
    List<CompletableFuture<Decision>> all = new ArrayList<>();
    for (int i = 0; i < LIMIT + 1; i++) {
      List<PermitRequest> one = List.of(new PermitRequest(policy, key));
      all.add(limiter.tryAcquireAsync(one).toCompletableFuture());
    }
    CompletableFuture<?> last = CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    BoundedWait.await(last, patience.toNanos());
  }

  private Key key(String what) {
    return Key.tuple(List.of(Key.of(id), Key.of(what + rounds)));
  }

  /** Returns a bucket that no real request has. */
  BucketId bucket(Policy policy, int number) {
    return new BucketId(policy.spec(), Key.tuple(List.of(Key.of(id), Key.of("bucket" + number))));
  }

  /** Returns nanoseconds. */
  long longestStep() {
    return patience.toNanos();
  }

  List<Policy> policies() {
    return policies;
  }

  /** Gives leases back, without waiting for that. */
  @Override
  public void close() {
    source.drain();
  }
}
