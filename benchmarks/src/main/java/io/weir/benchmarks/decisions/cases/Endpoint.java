package io.weir.benchmarks.decisions.cases;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.benchmarks.decisions.peers.CallerNames;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.key.KeyReader;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.metrics.MicrometerMetrics;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * An annotated method that counts by address, as an adapter guards it, with metrics of Micrometer
 * and leases from a Redis of its own.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls start()
public class Endpoint {
  private static final int EARNS = 12;
  private static final CallerTier PREMIUM = CallerTier.named("premium");

  /** Whether callers have a tier, which a resolver has to determine. */
  @Param("true")
  public boolean tiers = true;

  private final KeyReader reader = reader();
  private final Policy policy =
      Policy.builder("by-hand").limit(CallerNames.LIMIT).window(Duration.ofDays(1)).build();
  private Supplied supplied;
  private WeirRuntime weir;
  private GuardedEndpoint guard;

  /** The annotated class. */
  static final class Search {
    private Search() {}

    @RateLimit(
        limit = CallerNames.LIMIT,
        window = 1,
        unit = ChronoUnit.DAYS,
        tiers = @Tier(name = "premium", limit = CallerNames.LIMIT))
    void search() {}
  }

  private static KeyReader reader() {
    ClientAddress addresses = new ClientAddress(SettingsSnapshot.of(Map.of()));
    return KeyReader.of("search", List.of(By.IP), List.of(), Map.of(), () -> addresses);
  }

  /** Starts everything, and lets everybody pass as often as it takes to earn a lease. */
  @Setup
  public void start(CallerNames callers) throws NoSuchMethodException {
    supplied = Supplied.by("redis");
    TierResolver resolver = tiers ? (request, any) -> PREMIUM : (request, any) -> CallerTier.none();
    weir =
        new DefaultWeirBuilder()
            .settings(Map.of("weir.store.timeout", "10s", "weir.write-back.flush-interval", "1s"))
            .store(supplied.store())
            .metrics(new MicrometerMetrics(new SimpleMeterRegistry()))
            .tierResolver(resolver)
            .build();
    guard =
        weir.endpoint(Search.class, Search.class.getDeclaredMethod("search"), EndpointType.METHOD);
    Leasing.lease(weir.limiter(), policy, callers);
    for (int i = 0; i < EARNS; i++) {
      for (String text : callers.texts()) {
        pass(new PeerOnlyRequest(text));
      }
    }
  }

  /** Stops everything. */
  @TearDown
  public void stop() {
    weir.close();
    supplied.close();
  }

  Decision take(Key key) {
    return weir.limiter().tryAcquire(policy, key);
  }

  Key read(RequestInfo request) {
    return reader.read(request);
  }

  /** Lets a request in and out again. */
  GuardedRequest pass(RequestInfo request) {
    GuardedRequest guarded = guard.enter(request);
    if (guarded.decide(DecisionPhase.BEFORE_AUTHENTICATION).isPresent()) {
      throw new IllegalStateException("refused");
    }
    guarded.completed(200);
    return guarded;
  }
}
