package io.weir.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Reason;
import io.weir.RegionStatus;
import io.weir.spi.DecisionMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures into a Micrometer registry.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th></tr>
 * <tr><td>{@code weir.decisions}</td><td>counter</td><td>{@code policy}, {@code outcome} (admitted,
 * soft, elastic, refused, shadow-refused), {@code degraded} (true, false), {@code overloaded} (true for
 * what is refused because of the node's load)</td></tr>
 * <tr><td>{@code weir.strikes}</td><td>counter of strikes, which lead to bans</td><td>{@code
 * policy}</td></tr>
 * <tr><td>{@code weir.bans}</td><td>counter of bans that this node made</td><td>{@code policy},
 * {@code shadow} (true, false)</td></tr>
 * <tr><td>{@code weir.decision.time}</td><td>timer of a sample of decisions</td><td></td></tr>
 * <tr><td>{@code weir.buckets}</td><td>gauge</td><td>{@code weir}: the number of the limiter, from
 * 1, for several that measure into one registry</td></tr>
 * <tr><td>{@code weir.region.away}</td><td>gauge: 1 while the region is cut off, as the event {@code
 * region-away} tells, else 0</td><td>{@code region}, {@code weir}</td></tr>
 * <tr><td>{@code weir.region.silence}</td><td>gauge, seconds since another region's store answered a
 * report</td><td>{@code region}, {@code weir}</td></tr>
 * <tr><td>{@code weir.region.heard}</td><td>gauge, seconds since that region last reported to the
 * store of this one</td><td>{@code region}, {@code weir}</td></tr>
 * <tr><td>{@code weir.region.unreported}</td><td>gauge of permits whose report it hasn't
 * answered</td><td>{@code region}, {@code weir}</td></tr>
 * <tr><td>{@code weir.region.dropped}</td><td>gauge of permits that no other region hears of
 * </td><td>{@code weir}</td></tr>
 * <tr><td>{@code weir.exchanges}</td><td>counter of claims that a remote store
 * executed</td><td></td></tr>
 * <tr><td>{@code weir.store.time}</td><td>timer of calls that such a store answered</td><td></td>
 * </tr>
 * <tr><td>{@code weir.store.failures}</td><td>counter of calls that failed or timed
 * out</td><td></td></tr>
 * </table>
 *
 * <p>A meter appears when it first counts: at most seventeen for each policy, whatever the number
 * of callers. Since a database may have thousands of rules, only the first 1,000 policies that
 * decide have meters of their own; all others together are the policy {@code other}. Closing a
 * limiter removes its gauge but doesn't close the registry. A new limiter gets the lowest free
 * number.
 *
 * <p>Safe for concurrent use.
 */
public final class MicrometerMetrics implements DecisionMetrics {
  private static final int MAX_POLICIES = 1_000;
  private static final String OTHER = "other";
  private static final String BUCKETS = "weir.buckets";
  private static final String DROPPED = "weir.region.dropped";
  private static final String NUMBER = "weir";

  private final MeterRegistry registry;
  private final Timer time;
  private final Map<String, Counters> counters = new ConcurrentHashMap<>();
  private final Counters others = new Counters(OTHER);
  private final AtomicReference<@Nullable StoreMeters> store = new AtomicReference<>();
  private final Map<LongSupplier, Gauge> buckets = new ConcurrentHashMap<>();
  private final Map<Supplier<List<RegionStatus>>, List<Gauge>> regions = new ConcurrentHashMap<>();

  /**
   * Measures into a registry.
   *
   * @param registry the application's registry
   */
  public MicrometerMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.time =
        Timer.builder("weir.decision.time")
            .description("Time of a decision; only a sample is measured")
            .register(registry);
  }

  /**
   * Measures into the registry that {@link ServiceLoader} finds, else into Micrometer's global one.
   *
   * @param loader finds the registry
   * @return new metrics
   */
  public static MicrometerMetrics found(ClassLoader loader) {
    return new MicrometerMetrics(
        ServiceLoader.load(MeterRegistry.class, loader).findFirst().orElse(Metrics.globalRegistry));
  }

  @Override
  public void decided(Decision part) {
    String policy = part.policy().name();
    Counters known = counters.get(policy);
    if (known == null) {
      known = counters.size() < MAX_POLICIES ? first(policy) : others;
    }
    known.of(part, registry).increment();
  }

  private synchronized Counters first(String policy) {
    return counters.size() < MAX_POLICIES
        ? counters.computeIfAbsent(policy, Counters::new)
        : counters.getOrDefault(policy, others);
  }

  @Override
  public void regions(Supplier<List<RegionStatus>> status) {
    synchronized (registry) { // as for buckets
      regions.put(status, gauges(status, freeNumber(DROPPED)));
    }
  }

  private List<Gauge> gauges(Supplier<List<RegionStatus>> status, String number) {
    List<Gauge> made = new ArrayList<>();
    for (RegionStatus each : status.get()) {
      made.add(
          Gauge.builder("weir.region.away", () -> of(each, status).isCutOff() ? 1 : 0)
              .description("1 while the region is cut off, else 0")
              .tag("region", each.name())
              .tag(NUMBER, number)
              .register(registry));
      if (each.isOwn()) {
        made.add(
            Gauge.builder(DROPPED, () -> of(each, status).dropped())
                .tag(NUMBER, number)
                .description("Permits that other regions don't learn of, for lack of room")
                .register(registry));
      } else {
        made.add(
            Gauge.builder("weir.region.silence", () -> seconds(of(each, status).reported()))
                .description("Time since the region's store answered a report of this node")
                .baseUnit("seconds")
                .tag("region", each.name())
                .tag(NUMBER, number)
                .register(registry));
        made.add(
            Gauge.builder("weir.region.heard", () -> seconds(of(each, status).heard()))
                .description("Time since the region last reported to the store of this one")
                .baseUnit("seconds")
                .tag("region", each.name())
                .tag(NUMBER, number)
                .register(registry));
        made.add(
            Gauge.builder("weir.region.unreported", () -> of(each, status).unreported())
                .description("Permits used here whose report the region hasn't answered")
                .tag("region", each.name())
                .tag(NUMBER, number)
                .register(registry));
      }
    }
    return made;
  }

  @Override
  public void regionsClosed(Supplier<List<RegionStatus>> status) {
    List<Gauge> made = regions.remove(status);
    if (made != null) {
      made.forEach(registry::remove);
    }
  }

  private static RegionStatus of(RegionStatus region, Supplier<List<RegionStatus>> all) {
    return all.get().stream()
        .filter(each -> each.name().equals(region.name()))
        .findFirst()
        .orElse(region);
  }

  /** Returns not a number if it has never been. */
  private static double seconds(Optional<Duration> age) {
    return age.map(known -> known.toMillis() / 1e3).orElse(Double.NaN);
  }

  @Override
  public void struck(String policy) {
    Counter.builder("weir.strikes")
        .description("Strikes, which lead to bans")
        .tag("policy", named(policy))
        .register(registry) // the one that is there already
        .increment();
  }

  @Override
  public void banned(String policy, boolean isShadow) {
    Counter.builder("weir.bans")
        .description("Bans that this node made")
        .tag("policy", named(policy))
        .tag("shadow", Boolean.toString(isShadow))
        .register(registry)
        .increment();
  }

  /** Returns the name by which a policy is counted. */
  private String named(String policy) {
    return first(policy).policy;
  }

  @Override
  public void took(long nanos) {
    time.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void storeExecuted(int claims, long nanos) {
    StoreMeters meters = store();
    meters.exchanges.increment(claims);
    meters.storeCalls.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void storeFailed() {
    store().failures.increment();
  }

  // Racing threads get the same meters: a registry has one meter of each name.
  private StoreMeters store() {
    StoreMeters made = store.get();
    if (made == null) {
      made = StoreMeters.in(registry);
      store.set(made);
    }
    return made;
  }

  /**
   * Registers a gauge with a tag of its own, since a registry ignores a second gauge with the same
   * name and tags.
   */
  @Override
  public void bucketsHeld(LongSupplier held) {
    // Locks the registry, since web applications that share it may each have a copy of this class.
    synchronized (registry) {
      buckets.put(
          held,
          Gauge.builder(BUCKETS, held::getAsLong)
              .description("Buckets held in this process")
              .tag(NUMBER, freeNumber(BUCKETS))
              .register(registry));
    }
  }

  private String freeNumber(String gauge) {
    int number = 1;
    while (registry.find(gauge).tag(NUMBER, Integer.toString(number)).gauge() != null) {
      number++;
    }
    return Integer.toString(number);
  }

  @Override
  public void limiterClosed(LongSupplier held) {
    Gauge gauge = buckets.remove(held);
    if (gauge != null) {
      registry.remove(gauge);
    }
  }

  @Override
  public void close() {
    buckets.keySet().forEach(this::limiterClosed);
    regions.keySet().forEach(this::regionsClosed);
  }

  /** The meters of a remote store, which all appear with its first answer or failure. */
  private record StoreMeters(Counter exchanges, Timer storeCalls, Counter failures) {
    static StoreMeters in(MeterRegistry registry) {
      return new StoreMeters(
          Counter.builder("weir.exchanges")
              .description("Claims that the store executed")
              .register(registry),
          Timer.builder("weir.store.time")
              .description("Time of the calls that the store answered")
              .register(registry),
          Counter.builder("weir.store.failures")
              .description("Store calls that failed or timed out")
              .register(registry));
    }
  }

  /** The counters of one policy, looked up without allocation. */
  private static final class Counters {
    private final String policy;
    private final Map<Outcome, Counter> exact = new ConcurrentHashMap<>();
    private final Map<Outcome, Counter> degraded = new ConcurrentHashMap<>();
    private final Map<Outcome, Counter> overloaded = new ConcurrentHashMap<>();
    private final Map<Outcome, Counter> overloadedAndDegraded = new ConcurrentHashMap<>();

    Counters(String policy) {
      this.policy = policy;
    }

    // Racing threads get the same counter from the registry.
    Counter of(Decision part, MeterRegistry registry) {
      Map<Outcome, Counter> made = like(part);
      Counter counter = made.get(part.outcome());
      if (counter == null) {
        counter = counter(part, registry);
        made.put(part.outcome(), counter);
      }
      return counter;
    }

    private Map<Outcome, Counter> like(Decision part) {
      if (isOverloaded(part)) {
        return part.degraded() ? overloadedAndDegraded : overloaded;
      }
      return part.degraded() ? degraded : exact;
    }

    private static boolean isOverloaded(Decision part) {
      return part.reason() == Reason.REDUCED_CAPACITY;
    }

    private Counter counter(Decision part, MeterRegistry registry) {
      return Counter.builder("weir.decisions")
          .description("Decisions by policy and outcome")
          .tag("policy", policy)
          .tag("outcome", part.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'))
          .tag("degraded", Boolean.toString(part.degraded()))
          .tag("overloaded", Boolean.toString(isOverloaded(part)))
          .register(registry);
    }
  }
}
