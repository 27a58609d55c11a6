package io.weir.benchmarks.day;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.spi.DecisionMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Weir with the settings that it has unless others are set, but for a store time-out as long as the
 * others have.
 */
final class WeirNodes implements Nodes {
  static final Duration PATIENCE = Duration.ofSeconds(2);

  private final LongAdder exchanges = new LongAdder();
  private final LongAdder watched = new LongAdder();
  private final LongAdder atOnce = new LongAdder();
  private final List<RateLimiter> nodes = new ArrayList<>();
  private final Policy minute =
      Policy.builder("minute").limit(PER_MINUTE).window(Duration.ofMillis(MINUTE_MILLIS)).build();
  private final Policy hour =
      Policy.builder("hour").limit(PER_HOUR).window(Duration.ofMillis(HOUR_MILLIS)).build();

  WeirNodes(int port) {
    for (int i = 0; i < COUNT; i++) {
      nodes.add(
          RateLimiter.builder()
              .store("redis://127.0.0.1:" + port, WeirNodes::setting)
              .storeTimeout(PATIENCE)
              .metrics(new Counted())
              .build());
    }
  }

  /** Settings of the store. */
  static String setting(String name) {
    return switch (name) {
      case "weir.secret" -> "of the benchmark";
      case "weir.store.timeout" -> PATIENCE.toSeconds() + "s";
      default -> "";
    };
  }

  private List<PermitRequest> requests(String user) {
    Key key = Key.of(user);
    return List.of(new PermitRequest(minute, key), new PermitRequest(hour, key));
  }

  @Override
  public boolean admits(int node, String user) {
    return admitted(nodes.get(node).tryAcquire(requests(user)));
  }

  @Override
  public boolean admitsWatched(int node, String user) {
    CompletableFuture<Decision> decision =
        nodes.get(node).tryAcquireAsync(requests(user)).toCompletableFuture();
    if (decision.isDone()) {
      atOnce.increment();
    }
    watched.increment();
    return admitted(decision.join());
  }

  private static boolean admitted(Decision decision) {
    if (decision.degraded()) {
      throw new IllegalStateException("decided without Redis");
    }
    return decision.admitted();
  }

  @Override
  public long exchanges() {
    return exchanges.sum();
  }

  @Override
  public double withoutIoPercent() {
    return 100.0 * atOnce.sum() / Math.max(1, watched.sum());
  }

  @Override
  public void forgetWatched() {
    watched.reset();
    atOnce.reset();
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
