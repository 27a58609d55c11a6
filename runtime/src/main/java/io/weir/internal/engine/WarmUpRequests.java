package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.internal.writeback.WriteBackCache;
import io.weir.internal.writeback.WriteBackSettings;
import io.weir.spi.DecisionMetrics;
import io.weir.store.BucketId;
import io.weir.store.LeasingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A limiter that decides requests of nobody, so that everything that a decision needs has been
 * loaded, connected and run before the first real one: a cold JVM takes longer for that than a
 * decision may wait for the store.
 *
 * <p>It is put together like the real one over the same store, and shares nothing else with it but
 * the scheduler: neither buckets nor breakers, metrics or log. Its buckets are of keys that are
 * made at random, so nobody's, and last a second.
 *
 * <p>Confine to one thread.
 */
final class WarmUpRequests implements AutoCloseable {
  private static final String NAME = "weir.warm-up";
  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final int LIMIT = 3;
  private static final int BUCKETS = 1_000;

  private final String id = UUID.randomUUID().toString();
  private final List<Policy> policies;
  private final Policy away;
  private final WriteBackCache source;
  private final RateLimiter limiter;
  private final Duration patience;
  private int rounds;

  /** Takes the store without its end; the background is that of the real limiter. */
  WarmUpRequests(
      LeasingStore store,
      Ticker ticker,
      BackgroundScheduler background,
      Duration flush,
      Duration patience) {
    this.policies = store.algorithms().stream().map(each -> policy(NAME, each)).toList();
    this.away = policy(WarmUpStore.AWAY, policies.get(0).algorithm());
    this.patience = patience;
    WriteBackSettings settings = new WriteBackSettings(flush, patience, BUCKETS, 2, id);
    this.source =
        new WriteBackCache(
            new WarmUpStore(store), settings, ticker, background.scheduler(), Unheard.INSTANCE);
    this.limiter = limiter(store, ticker, background);
  }

  private static Policy policy(String name, Algorithm algorithm) {
    return Policy.builder(name)
        .algorithm(algorithm)
        .limit(LIMIT)
        .window(WINDOW)
        .onStoreFailure(OnStoreFailure.LOCAL)
        .build();
  }

  private DefaultRateLimiter limiter(
      LeasingStore store, Ticker ticker, BackgroundScheduler background) {
    LimitCalculator limits = new LimitCalculator(new LoadReader(() -> 0), OutageReserve.NONE);
    DirectSource local = new DirectSource(new InProcessStore(ticker, BUCKETS), 1, Unheard.INSTANCE);
    ResilientSource supply =
        new ResilientSource(
            source, local, () -> OnStoreFailure.LOCAL, new UnheardOutage(ticker), limits);
    SafeMetrics meters = new SafeMetrics(DecisionMetrics.none(), ticker);
    return new DefaultRateLimiter(
        supply, store.algorithms(), limits, meters, background, new StoreTimeout(patience, ticker));
  }

  /**
   * One of each thing that may happen to a request, by each algorithm; ends early if the store
   * doesn't answer.
   *
   * @param goesOn whether there is time for another step, which takes the patience at most
   */
  void round(BooleanSupplier goesOn) {
    rounds++;
    limiter.refund(limiter.tryAcquire(away, key("away"))); // as without the store
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
            () -> crowd(policy, key), // by the store together, and some refused
            () -> limiter.refund(first),
            () -> limiter.tryAcquire(policy, key), // by what was given back
            () -> limiter.tryAcquire(policy, key), // refused by what is known
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
      List<PermitRequest> ask = List.of(new PermitRequest(policy, key));
      all.add(limiter.tryAcquireAsync(ask).toCompletableFuture());
    }
    CompletableFuture<?> last = CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    BoundedWait.await(last, patience.toNanos());
  }

  private Key key(String what) {
    return Key.tuple(List.of(Key.of(id), Key.of(what + rounds)));
  }

  /** A bucket of nobody. */
  BucketId bucket(Policy policy, int number) {
    return new BucketId(policy.spec(), Key.tuple(List.of(Key.of(id), Key.of("look" + number))));
  }

  /** How long a step may take, in nanoseconds. */
  long longestStep() {
    return patience.toNanos();
  }

  List<Policy> policies() {
    return policies;
  }

  /** Gives back what is held, without waiting for it. */
  @Override
  public void close() {
    source.drain();
  }
}
