package io.weir.internal.engine;

import io.weir.LoadCurve;
import io.weir.RateLimiter;
import io.weir.RateLimiterBuilder;
import io.weir.Ticker;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.internal.region.RegionShares;
import io.weir.internal.value.DurationText;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.LoadSensor;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Collects the parts of a {@link RateLimiter}. Confine to one thread. */
public final class DefaultRateLimiterBuilder implements RateLimiterBuilder {
  private final RateLimiterOptions options = new RateLimiterOptions();
  private Function<Ticker, PermitStore> store =
      ticker -> new InProcessStore(ticker, RateLimiterOptions.DEFAULT_BUCKETS);

  @Override
  public DefaultRateLimiterBuilder store(PermitStore where) {
    this.store = any -> where;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder store(String address, UnaryOperator<String> setting) {
    this.store = clock -> StoreLocator.open(address, setting, clock);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder ticker(Ticker clock) {
    options.ticker = clock;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder loadSensor(LoadSensor sensor) {
    options.loadSensor = Optional.of(sensor);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder loadCurves(Function<Priority, LoadCurve> settings) {
    options.loadCurves = settings;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder metrics(DecisionMetrics observer) {
    options.metrics = observer;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder tracing(DecisionTracing spans) {
    options.tracing = spans;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder storeTimeout(Duration longest) {
    if (longest.isZero() || longest.isNegative()) {
      throw new IllegalArgumentException(
          "storeTimeout must be more than zero, not " + DurationText.inWords(longest));
    }
    options.storeTimeout = longest;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder startTimeout(Duration longest) {
    if (longest.isZero() || longest.isNegative()) {
      throw new IllegalArgumentException(
          "startTimeout must be more than zero, not " + DurationText.inWords(longest));
    }
    options.startTimeout = Optional.of(longest);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder scheduler(ScheduledExecutorService executor) {
    options.scheduler = Optional.of(executor);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder flushInterval(Duration interval) {
    options.flushInterval = interval;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder cacheBuckets(long most) {
    options.cacheBuckets = most;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder leasesForSlowCallers(boolean on) {
    options.farLeases = on;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder nodes(int live) {
    if (live < 1) {
      throw new IllegalArgumentException("nodes must be at least 1, not " + live);
    }
    options.nodes = Optional.of(live);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder reserve(int percent) {
    options.reserve = new OutageReserve(percent, 1).percent();
    return this;
  }

  /** Sets the part of each limit that this region counts; all of it unless set. */
  public DefaultRateLimiterBuilder regionShares(RegionShares shares) {
    options.regionShares = shares;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder nodeName(String name) {
    options.nodeName = Optional.of(name);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder onStoreFailure(Supplier<OnStoreFailure> settings) {
    options.onStoreFailure = settings;
    return this;
  }

  @Override
  public RateLimiter build() {
    PermitStore permits = store.apply(options.ticker);
    try {
      return new RateLimiterWiring(options, permits).limiter();
    } catch (RuntimeException | Error mistake) {
      permits.close();
      throw mistake;
    }
  }
}
