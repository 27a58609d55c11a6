package io.weir.internal.engine;

import io.weir.RateLimiter;
import io.weir.RateLimiterBuilder;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.internal.load.InFlight;
import io.weir.internal.load.SystemLoad;
import io.weir.internal.permits.ImmediateStore;
import io.weir.internal.permits.PermitSource;
import io.weir.internal.writeback.WriteBackCache;
import io.weir.internal.writeback.WriteBackSettings;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.LoadSensor;
import io.weir.store.LeasingStore;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Collects the parts of a {@link RateLimiter} and wires them. Confine to one thread. */
public final class DefaultRateLimiterBuilder implements RateLimiterBuilder {
  private static final int MOST_BUCKETS = 100_000;
  private static final Duration START_TIMEOUT = Duration.ofSeconds(2);

  /** No single step of a warm-up takes longer than one of so many parts of it. */
  private static final int PARTS = 4;

  private Function<Ticker, PermitStore> store = ticker -> new InProcessStore(ticker, MOST_BUCKETS);
  private Ticker ticker = Ticker.system();
  private Optional<LoadSensor> loadSensor = Optional.empty();
  private Optional<ScheduledExecutorService> scheduler = Optional.empty();
  private DecisionMetrics metrics = DecisionMetrics.none();
  private Duration storeTimeout = Duration.ofMillis(100);
  private Duration flushInterval = Duration.ofMillis(100);
  private long cacheBuckets = MOST_BUCKETS;
  private Optional<Integer> nodes = Optional.empty();
  private Optional<Duration> startTimeout = Optional.empty();
  private int reserve;
  private Optional<String> nodeName = Optional.empty();
  private Supplier<OnStoreFailure> onStoreFailure = () -> OnStoreFailure.LOCAL;

  /** Everything at its default. */
  public DefaultRateLimiterBuilder() {}

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
    this.ticker = clock;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder loadSensor(LoadSensor sensor) {
    this.loadSensor = Optional.of(sensor);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder metrics(DecisionMetrics observer) {
    this.metrics = observer;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder storeTimeout(Duration longest) {
    if (longest.isZero() || longest.isNegative()) {
      throw new IllegalArgumentException("storeTimeout must be more than zero, not " + longest);
    }
    this.storeTimeout = longest;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder startTimeout(Duration longest) {
    if (longest.isZero() || longest.isNegative()) {
      throw new IllegalArgumentException("startTimeout must be more than zero, not " + longest);
    }
    this.startTimeout = Optional.of(longest);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder scheduler(ScheduledExecutorService executor) {
    this.scheduler = Optional.of(executor);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder flushInterval(Duration interval) {
    this.flushInterval = interval;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder cacheBuckets(long most) {
    this.cacheBuckets = most;
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder nodes(int live) {
    if (live < 1) {
      throw new IllegalArgumentException("nodes must be at least 1, not " + live);
    }
    this.nodes = Optional.of(live);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder reserve(int percent) {
    this.reserve = new OutageReserve(percent, 1).percent();
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder nodeName(String name) {
    this.nodeName = Optional.of(name);
    return this;
  }

  @Override
  public DefaultRateLimiterBuilder onStoreFailure(Supplier<OnStoreFailure> settings) {
    this.onStoreFailure = settings;
    return this;
  }

  @Override
  public RateLimiter build() {
    PermitStore permits = store.apply(ticker);
    try {
      return over(permits);
    } catch (RuntimeException | Error mistake) {
      permits.close();
      throw mistake;
    }
  }

  private RateLimiter over(PermitStore permits) {
    Set<Algorithm> algorithms = EnumSet.copyOf(permits.algorithms());
    SafeMetrics meters = new SafeMetrics(metrics, ticker);
    OutageLog outage = new OutageLog(ticker);
    BackgroundScheduler background = new BackgroundScheduler(scheduler);
    OutageReporter events = new OutageReporter(outage, meters);
    // A store in this process needs no name, nor all that the JDK loads to make one.
    String node = permits instanceof LeasingStore ? node() : "";
    PermitSource shared = shared(permits, node, background, events);
    PermitSource local =
        new DirectSource(new InProcessStore(ticker, MOST_BUCKETS), 1, Unheard.INSTANCE);
    LoadSensor sensor = loadSensor.orElseGet(() -> new SystemLoad(ticker, new InFlight(), 0));
    boolean here = permits instanceof ImmediateStore;
    LimitCalculator limits =
        new LimitCalculator(new LoadReader(sensor), here ? OutageReserve.NONE : keptBack());
    ResilientSource supply = new ResilientSource(shared, local, onStoreFailure, outage, limits);
    meters.bucketsHeld(shared::size);
    if (permits instanceof LeasingStore leasing
        && shared instanceof WriteBackCache source
        && waits()) {
      warmUp(leasing, source, node, background, events);
    }
    StoreTimeout timeout = new StoreTimeout(storeTimeout, ticker);
    return new DefaultRateLimiter(supply, algorithms, limits, meters, background, timeout);
  }

  private String node() {
    return nodeName.orElseGet(() -> UUID.randomUUID().toString());
  }

  // A part of it is sure to be enough only if it is known into how many parts it goes.
  private OutageReserve keptBack() {
    int parts = nodes.orElse(1);
    if (reserve > 0 && parts == 1) {
      throw new IllegalArgumentException(
          "weir.store.reserve = "
              + reserve
              + " needs weir.store.nodes: how many nodes share the store at most, 2 and more");
    }
    return new OutageReserve(reserve, parts);
  }

  private PermitSource shared(
      PermitStore permits, String node, BackgroundScheduler background, OutageReporter events) {
    int parts = nodes.orElse(1);
    if (permits instanceof LeasingStore leasing) {
      WriteBackSettings settings =
          new WriteBackSettings(flushInterval, storeTimeout, cacheBuckets, parts, node);
      return WriteBackFactory.of(leasing, settings, ticker, background.scheduler(), events);
    }
    boolean here = permits instanceof ImmediateStore;
    return new DirectSource(
        here ? permits : new TimedStore(permits, ticker, events), parts, events);
  }

  // What a test moves by hand stands still meanwhile.
  private boolean waits() {
    boolean own = scheduler.isPresent() || !ticker.equals(Ticker.system());
    return startTimeout.isPresent() || !own;
  }

  private void warmUp(
      LeasingStore store,
      WriteBackCache source,
      String node,
      BackgroundScheduler background,
      OutageReporter events) {
    Duration longest = startTimeout.orElse(START_TIMEOUT);
    Duration patience = longest.dividedBy(PARTS);
    WarmUpRequests rehearsal =
        new WarmUpRequests(store, ticker, background, flushInterval, patience);
    new WarmUp(store, source, rehearsal, events, node, nodes.isPresent(), longest).run();
  }
}
