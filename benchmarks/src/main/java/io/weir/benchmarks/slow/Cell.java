package io.weir.benchmarks.slow;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.spi.DecisionMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Some nodes with one policy between them, and callers that each use the same share of its limit. A
 * request comes from a random caller to a random node, so those of one caller are a Poisson
 * process.
 *
 * <p>Safe for concurrent use.
 */
final class Cell implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final LongAdder requests = new LongAdder();
  private final LongAdder exchanges = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final List<RateLimiter> nodes = new ArrayList<>();
  private final List<Key> callers;
  private final Policy policy;

  /**
   * Starts the nodes.
   *
   * @param perMinute the limit
   * @param percent what each caller uses of it
   * @param far whether the nodes hold leases for slow callers
   * @param perSecond how many requests will come for all callers together
   */
  Cell(String store, int perMinute, int percent, int nodes, boolean far, double perSecond) {
    this.policy = Policy.builder("slow").limit(perMinute).window(Duration.ofMinutes(1)).build();
    long count = Math.max(1, Math.round(perSecond * 60 * 100 / perMinute / percent));
    this.callers = Stream.iterate(0, i -> i + 1).limit(count).map(Cell::key).toList();
    String prefix = "slow_" + perMinute + "_" + percent + "_" + nodes + (far ? "" : "_off");
    for (int i = 0; i < nodes; i++) {
      this.nodes.add(
          RateLimiter.builder()
              .store(store, name -> setting(name, prefix))
              .storeTimeout(PATIENCE)
              .leasesForSlowCallers(far)
              .metrics(new Counted())
              .build());
    }
  }

  private static Key key(int number) {
    return Key.of("caller-" + number);
  }

  private static String setting(String name, String prefix) {
    return switch (name) {
      case "weir.prefix" -> prefix;
      case "weir.secret" -> prefix; // or nodes would warn of each other
      case "weir.store.timeout" -> PATIENCE.toSeconds() + "s";
      default -> "";
    };
  }

  /** One request. */
  void ask(SplittableRandom random) {
    RateLimiter node = nodes.get(random.nextInt(nodes.size()));
    Decision decision = node.tryAcquire(policy, callers.get(random.nextInt(callers.size())));
    if (decision.degraded()) {
      throw new IllegalStateException("decided without the store");
    }
    requests.increment();
    if (!decision.admitted()) {
      refused.increment();
    }
  }

  /**
   * The counts so far.
   *
   * @param exchanges claims of all kinds, also those for which no request waits
   */
  record Counts(long requests, long exchanges, long refused) {
    Counts since(Counts before) {
      return new Counts(
          requests - before.requests, exchanges - before.exchanges, refused - before.refused);
    }
  }

  Counts counts() {
    return new Counts(requests.sum(), exchanges.sum(), refused.sum());
  }

  @Override
  public void close() {
    nodes.forEach(RateLimiter::close);
  }

  private final class Counted implements DecisionMetrics {
    @Override
    public void storeExecuted(int claims, long nanos) {
      exchanges.add(claims);
    }

    @Override
    public void decided(Decision part) {}

    @Override
    public void took(long nanos) {}

    @Override
    public void bucketsHeld(LongSupplier held) {}
  }
}
