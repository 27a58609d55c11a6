package io.weir.internal.engine;

import io.weir.LoadCurve;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.engine.warmup.WarmUp;
import io.weir.internal.engine.warmup.WarmUpRequests;
import io.weir.internal.engine.warmup.WarmUpStoreWrapper;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.internal.load.InFlightCounter;
import io.weir.internal.load.SystemLoad;
import io.weir.internal.permits.ImmediateStore;
import io.weir.internal.permits.PermitSource;
import io.weir.internal.permits.StoreListener;
import io.weir.internal.writeback.WriteBackCache;
import io.weir.internal.writeback.WriteBackSettings;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.LoadSensor;
import io.weir.store.LeasingStore;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Assembles a {@link DefaultRateLimiter} from its options: chooses the source of permits that fits
 * the store, and warms up a shared one.
 *
 * <p>Confine to one thread.
 */
final class RateLimiterWiring {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final Duration START_TIMEOUT = Duration.ofSeconds(2);

  /** No step of a warm-up may take longer than the start time-out divided by this. */
  private static final int WARM_UP_STEPS = 4;

  private static final String FURTHER =
      ". Further callers are counted less exactly: a sliding window admits four fifths of the limit"
          + " at an even pace, and if several times as many come, some are refused too early;"
          + " ";

  private final RateLimiterOptions options;
  private final PermitStore store;
  private final Ticker ticker;
  private final BackgroundScheduler background;
  private final SafeMetrics metrics;
  private final OutageReporter reporter;
  private final int nodes;

  RateLimiterWiring(RateLimiterOptions options, PermitStore store) {
    this.options = options;
    this.store = store;
    this.ticker = options.ticker;
    this.background = new BackgroundScheduler(options.scheduler);
    this.metrics = new SafeMetrics(options.metrics, ticker);
    this.reporter = new OutageReporter(ticker, metrics);
    this.nodes = options.nodes.orElse(1);
  }

  RateLimiter limiter() {
    // A store in this process needs no name, nor all that the JDK loads to make one.
    String node = store instanceof LeasingStore ? nodeName() : "";
    PermitSource shared = shared(node);
    LoadSensor sensor =
        options.loadSensor.orElseGet(() -> new SystemLoad(ticker, new InFlightCounter(), 0));
    long startedAt = ticker.nanoTime();
    LimitCalculator limits =
        new LimitCalculator(
            sensor,
            reserve(),
            options.loadCurves,
            () -> TimeUnit.NANOSECONDS.toMicros(ticker.nanoTime() - startedAt),
            options.regionShares,
            new LackingPartLog(options.regionShares.region(), this::warn));
    ResilientPermitSource source =
        new ResilientPermitSource(
            shared, local(), options.onStoreFailure, reporter::log, limits, reporter::isOutage);
    metrics.bucketsHeld(shared::size);
    if (store instanceof InProcessStore counts) {
      counts.whenFull(() -> warn(tooMany(counts.maxBuckets())));
    }
    if (store instanceof LeasingStore leasing
        && shared instanceof WriteBackCache cache
        && isWarmedUp()) {
      warmUp(leasing, cache, node);
    }
    ExtendableTimeout timeout =
        new ExtendableTimeout(ticker::nanoTime, options.storeTimeout.toNanos());
    return new DefaultRateLimiter(
        source, store, limits, metrics, new SafeTracing(options.tracing), background, timeout);
  }

  private String nodeName() {
    return options.nodeName.orElseGet(() -> UUID.randomUUID().toString());
  }

  // A node's share of the reserve depends on the number of nodes.
  private OutageReserve reserve() {
    if (store instanceof ImmediateStore) {
      return OutageReserve.NONE;
    }
    if (options.reserve > 0 && nodes == 1) {
      throw new IllegalArgumentException(
          "weir.store.reserve = "
              + options.reserve
              + " needs weir.store.nodes: the largest number of nodes that share the store, at"
              + " least 2");
    }
    return new OutageReserve(options.reserve, nodes);
  }

  private PermitSource shared(String node) {
    if (store instanceof LeasingStore leasing) {
      WriteBackSettings settings =
          new WriteBackSettings(
              options.flushInterval,
              options.storeTimeout,
              options.cacheBuckets,
              nodes,
              node,
              options.farLeases);
      return cache(leasing, settings, reporter);
    }
    return new DirectPermitSource(store, nodes, ticker, reporter);
  }

  private WriteBackCache cache(
      LeasingStore leasing, WriteBackSettings settings, StoreListener listener) {
    try {
      return new WriteBackCache(leasing, settings, ticker, background.scheduler(), listener);
    } catch (NoClassDefFoundError absent) { // the store may lack one
      throw new IllegalArgumentException(
          "the store can't be used, since a class is missing on the class path: "
              + String.valueOf(absent.getMessage()).replace('/', '.'),
          absent);
    }
  }

  /** Counts what this node admits while the store is away. */
  private PermitSource local() {
    int buckets = (int) Math.max(1, Math.min(Integer.MAX_VALUE, options.cacheBuckets));
    InProcessStore counts = new InProcessStore(ticker, buckets);
    counts.whenFull(() -> warn(tooManyCutOff(buckets)));
    return local(counts);
  }

  private PermitSource local(InProcessStore counts) {
    return new DirectPermitSource(counts, 1, ticker, StoreListener.NONE);
  }

  // Not on the thread of a request: a logger may block or throw.
  private void warn(String message) {
    try {
      background.scheduler().execute(() -> LOG.log(System.Logger.Level.WARNING, message));
    } catch (RejectedExecutionException closed) {
      // No more requests are served.
    }
  }

  private static String tooManyCutOff(int buckets) {
    return "The store can't be reached, and there are more callers than"
        + " weir.write-back.max-buckets = "
        + buckets
        + FURTHER
        + "none gets more than its share. Raise the setting if the heap has room.";
  }

  private static String tooMany(int buckets) {
    return "This process has more callers than weir.store.max-buckets = "
        + buckets
        + FURTHER
        + "none gets more than the limit. Raise the setting if the heap has room, or use a shared"
        + " store.";
  }

  // A clock or scheduler that a test advances would stand still meanwhile.
  private boolean isWarmedUp() {
    boolean isSimulated = options.scheduler.isPresent() || !ticker.equals(Ticker.system());
    return options.startTimeout.isPresent() || !isSimulated;
  }

  private void warmUp(LeasingStore leasing, WriteBackCache cache, String node) {
    Duration longest = options.startTimeout.orElse(START_TIMEOUT);
    Duration patience = longest.dividedBy(WARM_UP_STEPS);
    WarmUpRequests requests =
        new WarmUpRequests(
            leasing,
            patience,
            (rehearsed, name) -> cache(rehearsed, settings(patience, name), StoreListener.NONE),
            source -> rehearsal(leasing, source, patience));
    new WarmUp(
            leasing,
            cache,
            requests,
            reporter,
            Ticker.system(),
            node,
            options.nodes.isPresent(),
            longest)
        .run();
  }

  private WriteBackSettings settings(Duration patience, String node) {
    return new WriteBackSettings(
        options.flushInterval,
        patience,
        WarmUpRequests.BUCKETS,
        WarmUpStoreWrapper.NODES,
        node,
        options.farLeases);
  }

  /** Makes a limiter like the real one that shares only the store and the scheduler with it. */
  private RateLimiter rehearsal(LeasingStore leasing, PermitSource source, Duration patience) {
    LimitCalculator limits =
        new LimitCalculator(() -> 0, OutageReserve.NONE, LoadCurve::of, () -> 0);
    return new DefaultRateLimiter(
        new ResilientPermitSource(
            source,
            local(new InProcessStore(ticker, WarmUpRequests.BUCKETS)),
            () -> OnStoreFailure.LOCAL,
            ignored -> {},
            limits,
            () -> false),
        leasing,
        limits,
        new SafeMetrics(DecisionMetrics.none(), ticker),
        new SafeTracing(DecisionTracing.none()),
        background,
        new ExtendableTimeout(ticker::nanoTime, patience.toNanos()));
  }
}
