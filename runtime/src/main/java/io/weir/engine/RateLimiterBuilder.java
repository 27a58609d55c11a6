package io.weir.engine;

import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.inprocess.InProcessStore;
import io.weir.load.InFlight;
import io.weir.load.LoadSensor;
import io.weir.load.SystemLoad;
import io.weir.metrics.DecisionMetrics;
import io.weir.store.LeasingStore;
import io.weir.store.PermitSource;
import io.weir.store.PermitStore;
import io.weir.writeback.WriteBack;
import io.weir.writeback.WriteBackSettings;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Collects the parts of a {@link RateLimiter}.
 *
 * <p>Confine to one thread.
 */
public final class RateLimiterBuilder {
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

  RateLimiterBuilder() {}

  /**
   * Sets where buckets live; in this process unless set.
   *
   * @param where a store, which the limiter closes
   * @return this
   */
  public RateLimiterBuilder store(PermitStore where) {
    this.store = any -> where;
    return this;
  }

  /**
   * Sets where buckets live, by address; the store is found by the address's scheme.
   *
   * @param address what {@code weir.store} says, {@code inprocess:} for example
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @return this; a malformed address is an error of {@link #build()}
   */
  public RateLimiterBuilder store(String address, UnaryOperator<String> setting) {
    this.store = clock -> Stores.open(address, setting, clock);
    return this;
  }

  /**
   * Sets the source of time; the machine's clocks unless set.
   *
   * @param clock the ticker
   * @return this
   */
  public RateLimiterBuilder ticker(Ticker clock) {
    this.ticker = clock;
    return this;
  }

  /**
   * Sets what tells how busy this node is; the processor and the heap unless set.
   *
   * @param sensor asked for each request under an ELASTIC policy
   * @return this
   */
  public RateLimiterBuilder loadSensor(LoadSensor sensor) {
    this.loadSensor = Optional.of(sensor);
    return this;
  }

  /**
   * Sets what takes note of decisions; nothing unless set.
   *
   * @param observer metrics, which the limiter closes
   * @return this
   */
  public RateLimiterBuilder metrics(DecisionMetrics observer) {
    this.metrics = observer;
    return this;
  }

  /**
   * Sets how long a decision may wait for the store; 100 ms unless set.
   *
   * @param longest more than zero
   * @return this
   * @throws IllegalArgumentException if it isn't
   */
  public RateLimiterBuilder storeTimeout(Duration longest) {
    if (longest.isZero() || longest.isNegative()) {
      throw new IllegalArgumentException("storeTimeout must be more than zero, not " + longest);
    }
    this.storeTimeout = longest;
    return this;
  }

  /**
   * Sets how long {@link #build()} may wait for a store that leases permits: it connects, loads
   * what the store needs, hears how many nodes live, and decides requests of nobody until that is
   * quick. If the store is away by then, the limiter is made all the same. 2 s unless set; but with
   * a {@link #ticker} or a {@link #scheduler} of one's own, which may stand still, nothing is
   * waited for unless it is set, and what is said here comes with the first request.
   *
   * @param longest more than zero, by the machine's clock
   * @return this
   * @throws IllegalArgumentException if it isn't
   */
  public RateLimiterBuilder startTimeout(Duration longest) {
    if (longest.isZero() || longest.isNegative()) {
      throw new IllegalArgumentException("startTimeout must be more than zero, not " + longest);
    }
    this.startTimeout = Optional.of(longest);
    return this;
  }

  /**
   * Sets what runs flushes, heartbeats and the ends of waits that no thread sits out; a daemon of
   * the limiter's own unless set, started when it is first needed.
   *
   * @param executor a scheduler, which the limiter doesn't close
   * @return this
   */
  public RateLimiterBuilder scheduler(ScheduledExecutorService executor) {
    this.scheduler = Optional.of(executor);
    return this;
  }

  /**
   * Sets how often leases are topped up and idle permits given back, where the store leases
   * permits; 100 ms unless set.
   *
   * @param interval 10 ms to 10 s
   * @return this; a value out of range is an error of {@link #build()}
   */
  public RateLimiterBuilder flushInterval(Duration interval) {
    this.flushInterval = interval;
    return this;
  }

  /**
   * Sets of how many buckets leases are cached, where the store leases permits; 100,000 unless set.
   *
   * @param most 1 and more
   * @return this; a value out of range is an error of {@link #build()}
   */
  public RateLimiterBuilder cacheBuckets(long most) {
    this.cacheBuckets = most;
    return this;
  }

  /**
   * Sets among how many nodes a limit is divided while the store is away, as far as the store
   * hasn't told how many live; 1 unless set.
   *
   * @param live 1 and more
   * @return this
   * @throws IllegalArgumentException if it is less
   */
  public RateLimiterBuilder nodes(int live) {
    if (live < 1) {
      throw new IllegalArgumentException("nodes must be at least 1, not " + live);
    }
    this.nodes = Optional.of(live);
    return this;
  }

  /**
   * Sets how much of each limit is kept back for nodes that can't ask the store and go on by {@link
   * OnStoreFailure#LOCAL}, so that these don't admit more than the limit together with the others:
   * each of them its part of that, by {@link #nodes}, which must then be the most nodes that there
   * are. 0 unless set; without effect where the store is in this process.
   *
   * @param percent 0 to 90
   * @return this
   * @throws IllegalArgumentException if it is outside that range
   */
  public RateLimiterBuilder reserve(int percent) {
    this.reserve = new Reserve(percent, 1).percent();
    return this;
  }

  /**
   * Sets this node's name among those that share the store; random unless set.
   *
   * @param name unique
   * @return this
   */
  public RateLimiterBuilder nodeName(String name) {
    this.nodeName = Optional.of(name);
    return this;
  }

  /**
   * Sets what a policy does while the store is away that leaves it to the settings; {@code LOCAL}
   * unless set.
   *
   * @param settings read whenever it matters
   * @return this
   */
  public RateLimiterBuilder onStoreFailure(Supplier<OnStoreFailure> settings) {
    this.onStoreFailure = settings;
    return this;
  }

  /**
   * Makes the limiter.
   *
   * @return a limiter that the caller closes
   * @throws IllegalArgumentException if there is no store for the address, its address or settings
   *     are malformed, or it needs a library that isn't on the class path
   */
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
    Meters meters = new Meters(metrics, ticker);
    Outage outage = new Outage(ticker);
    Background background = new Background(scheduler);
    StoreEvents events = new StoreEvents(outage, meters);
    // A store in this process needs no name, nor all that the JDK loads to make one.
    String node = permits instanceof LeasingStore ? node() : "";
    PermitSource shared = shared(permits, node, background, events);
    PermitSource local =
        new StoreSource(new InProcessStore(ticker, MOST_BUCKETS), 1, Unheard.INSTANCE);
    LoadSensor sensor = loadSensor.orElseGet(() -> new SystemLoad(ticker, new InFlight(), 0));
    boolean here = permits instanceof InProcessStore;
    Limits limits = new Limits(new LoadReader(sensor), here ? Reserve.NONE : keptBack());
    Supply supply = new Supply(shared, local, onStoreFailure, outage, limits);
    meters.bucketsHeld(shared::size);
    if (permits instanceof LeasingStore leasing && shared instanceof WriteBack source && waits()) {
      warmUp(leasing, source, node, background, events);
    }
    StoreTimeout timeout = new StoreTimeout(storeTimeout, ticker);
    return new Limiter(supply, algorithms, limits, meters, background, timeout);
  }

  private String node() {
    return nodeName.orElseGet(() -> UUID.randomUUID().toString());
  }

  // A part of it is sure to be enough only if it is known into how many parts it goes.
  private Reserve keptBack() {
    int parts = nodes.orElse(1);
    if (reserve > 0 && parts == 1) {
      throw new IllegalArgumentException(
          "weir.store.reserve = "
              + reserve
              + " needs weir.store.nodes: how many nodes share the store at most, 2 and more");
    }
    return new Reserve(reserve, parts);
  }

  private PermitSource shared(
      PermitStore permits, String node, Background background, StoreEvents events) {
    int parts = nodes.orElse(1);
    if (permits instanceof LeasingStore leasing) {
      WriteBackSettings settings =
          new WriteBackSettings(flushInterval, storeTimeout, cacheBuckets, parts, node);
      return Leases.of(leasing, settings, ticker, background.scheduler(), events);
    }
    boolean here = permits instanceof InProcessStore;
    return new StoreSource(here ? permits : new TimedStore(permits, ticker, events), parts, events);
  }

  // What a test moves by hand stands still meanwhile.
  private boolean waits() {
    boolean own = scheduler.isPresent() || !ticker.equals(Ticker.system());
    return startTimeout.isPresent() || !own;
  }

  private void warmUp(
      LeasingStore store,
      WriteBack source,
      String node,
      Background background,
      StoreEvents events) {
    Duration longest = startTimeout.orElse(START_TIMEOUT);
    Duration patience = longest.dividedBy(PARTS);
    Rehearsal rehearsal = new Rehearsal(store, ticker, background, flushInterval, patience);
    new WarmUp(store, source, rehearsal, events, node, nodes.isPresent(), longest).run();
  }
}
