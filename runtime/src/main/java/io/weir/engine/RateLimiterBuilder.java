package io.weir.engine;

import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.OnStoreFailure;
import io.weir.inprocess.InProcessStore;
import io.weir.load.InFlight;
import io.weir.load.LoadSensor;
import io.weir.load.SystemLoad;
import io.weir.metrics.DecisionMetrics;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.Optional;
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

  private Function<Ticker, PermitStore> store = ticker -> new InProcessStore(ticker, MOST_BUCKETS);
  private Ticker ticker = Ticker.system();
  private Optional<LoadSensor> loadSensor = Optional.empty();
  private Optional<ScheduledExecutorService> scheduler = Optional.empty();
  private DecisionMetrics metrics = DecisionMetrics.none();
  private Duration storeTimeout = Duration.ofMillis(100);
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
   * Sets what runs the ends of waits that no thread sits out; a daemon of the limiter's own unless
   * set, started when it is first needed.
   *
   * @param executor a scheduler, which the limiter doesn't close
   * @return this
   */
  public RateLimiterBuilder scheduler(ScheduledExecutorService executor) {
    this.scheduler = Optional.of(executor);
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
   * @throws IllegalArgumentException if there is no store for the address, or its address or
   *     settings are malformed
   */
  public RateLimiter build() {
    StoreSource shared = new StoreSource(store.apply(ticker));
    StoreSource local = new StoreSource(new InProcessStore(ticker, MOST_BUCKETS));
    Supply supply = new Supply(shared, local, onStoreFailure, new Outage(ticker));
    LoadSensor sensor = loadSensor.orElseGet(() -> new SystemLoad(ticker, new InFlight(), 0));
    metrics.bucketsHeld(shared::size);
    return new Limiter(
        supply,
        new LoadReader(sensor),
        new Meters(metrics, ticker),
        new Deadlines(storeTimeout, scheduler),
        storeTimeout);
  }
}
