package io.weir.internal.engine;

import io.weir.LoadCurve;
import io.weir.Ticker;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.internal.region.RegionShares;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.LoadSensor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;

/** The options of a {@link io.weir.RateLimiter} and their defaults. Confine to one thread. */
final class RateLimiterOptions {
  static final int DEFAULT_BUCKETS = 100_000;

  Ticker ticker = Ticker.system();
  Optional<LoadSensor> loadSensor = Optional.empty();
  Optional<ScheduledExecutorService> scheduler = Optional.empty();
  Function<Priority, LoadCurve> loadCurves = LoadCurve::of;
  DecisionMetrics metrics = DecisionMetrics.none();
  DecisionTracing tracing = DecisionTracing.none();
  Duration storeTimeout = Duration.ofMillis(100);
  Duration flushInterval = Duration.ofMillis(100);
  long cacheBuckets = DEFAULT_BUCKETS;
  boolean farLeases = true;
  Optional<Integer> nodes = Optional.empty();
  Optional<Duration> startTimeout = Optional.empty();
  int reserve;
  RegionShares regionShares = RegionShares.NONE;
  Optional<String> nodeName = Optional.empty();
  Supplier<OnStoreFailure> onStoreFailure = () -> OnStoreFailure.LOCAL;
}
