package io.weir.guard;

import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.OnStoreFailure;
import io.weir.engine.RateLimiterBuilder;
import io.weir.engine.RateLimiters;
import io.weir.key.KeyResolver;
import io.weir.key.PeerAddress;
import io.weir.load.InFlight;
import io.weir.load.LoadSensor;
import io.weir.load.LoadWhenAsked;
import io.weir.load.SystemLoad;
import io.weir.metrics.DecisionMetrics;
import io.weir.policy.PolicyCatalog;
import io.weir.policy.TierResolver;
import io.weir.settings.LiveSettings;
import io.weir.settings.Settings;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Collects the parts of a {@link Weir}; what isn't given comes from settings and {@link
 * java.util.ServiceLoader}.
 *
 * <p>Confine to one thread.
 */
public final class WeirBuilder {
  private static final Duration TENTH = Duration.ofMillis(100);
  private static final Duration START = Duration.ofSeconds(2);

  final Map<String, KeyResolver> resolvers = new LinkedHashMap<>();
  Optional<TierResolver> tiers = Optional.empty();
  Optional<LoadSensor> loadSensor = Optional.empty();
  Optional<PeerAddress> peerAddress = Optional.empty();
  private final Map<String, String> onTop = new LinkedHashMap<>();
  private Optional<DecisionMetrics> metrics = Optional.empty();
  private Optional<PermitStore> store = Optional.empty();
  private Ticker ticker = Ticker.system();

  WeirBuilder() {}

  /**
   * Adds settings that go before all others.
   *
   * @param settings by their full names, {@code weir.headers} say
   * @return this
   */
  public WeirBuilder settings(Map<String, String> settings) {
    onTop.putAll(settings);
    return this;
  }

  /**
   * Adds a resolver for {@code by = KEY, key = "<name>"}.
   *
   * @param name the name that annotations use
   * @param resolver what reads the key
   * @return this
   */
  public WeirBuilder keyResolver(String name, KeyResolver resolver) {
    resolvers.put(name, resolver);
    return this;
  }

  /**
   * Sets what says which tier a caller has.
   *
   * @param resolver the resolver
   * @return this
   */
  public WeirBuilder tierResolver(TierResolver resolver) {
    this.tiers = Optional.of(resolver);
    return this;
  }

  /**
   * Sets what tells how busy this node is, in place of CPU, heap and requests in flight.
   *
   * @param sensor the sensor
   * @return this
   */
  public WeirBuilder loadSensor(LoadSensor sensor) {
    this.loadSensor = Optional.of(sensor);
    return this;
  }

  /**
   * Sets what finds the peer's address where the adapter can't.
   *
   * @param finder what reads the address off the adapter's request
   * @return this
   */
  public WeirBuilder peerAddress(PeerAddress finder) {
    this.peerAddress = Optional.of(finder);
    return this;
  }

  /**
   * Sets where decisions are measured: {@code new MicrometerMetrics(registry)} say.
   *
   * @param measure in place of what is found
   * @return this
   */
  public WeirBuilder metrics(DecisionMetrics measure) {
    this.metrics = Optional.of(measure);
    return this;
  }

  /**
   * Sets where buckets live, in place of the setting {@code weir.store}.
   *
   * @param permits the store; closed with the Weir
   * @return this
   */
  public WeirBuilder store(PermitStore permits) {
    this.store = Optional.of(permits);
    return this;
  }

  /**
   * Sets the source of time.
   *
   * @param time a fake one in tests
   * @return this
   */
  public WeirBuilder ticker(Ticker time) {
    this.ticker = time;
    return this;
  }

  /**
   * Reads the settings and makes the Weir.
   *
   * @return a Weir that the caller closes
   * @throws io.weir.settings.InvalidSettingException if a setting is malformed or unknown
   */
  public Weir build() {
    return build(Applications.loader());
  }

  Weir build(ClassLoader loader) {
    LiveSettings settings = LiveSettings.load(loader, onTop);
    FoundParts found = FoundParts.of(this, loader);
    PermitStore permits = store.orElseGet(() -> opened(settings.current()));
    try {
      PolicyCatalog catalog =
          new PolicyCatalog(
              settings, found.resolvers().keySet(), permits.algorithms(), storeName());
      InFlight inFlight = new InFlight();
      RateLimiter limiter = limiter(permits, settings, found, inFlight, loader);
      WeirParts parts = parts(settings, limiter, found, catalog);
      return new Weir(parts, catalog, inFlight, shownStore(settings.current()), loader);
    } catch (RuntimeException | Error mistake) {
      permits.close();
      throw mistake;
    }
  }

  /** The limiter is at work by now, so it is closed if it can't be used. */
  private WeirParts parts(
      LiveSettings settings, RateLimiter limiter, FoundParts found, PolicyCatalog catalog) {
    try {
      return new WeirParts(settings, limiter, found, catalog, ticker, scheduler());
    } catch (RuntimeException | Error mistake) {
      limiter.close();
      throw mistake;
    }
  }

  private PermitStore opened(Settings now) {
    String address = now.text("weir.store", "inprocess:");
    return RateLimiters.open(address, name -> now.find(name).orElse(""), ticker);
  }

  private String shownStore(Settings now) {
    return store
        .map(given -> given.getClass().getSimpleName())
        .orElseGet(() -> withoutSecrets(now.text("weir.store", "inprocess:").strip()));
  }

  // The user and the password, up to the last @ before the path; and the query, where other
  // schemes may have them.
  private static String withoutSecrets(String address) {
    return address.replaceFirst("//[^/]*@", "//").replaceFirst("\\?.*", "");
  }

  private String storeName() {
    return store.isPresent() ? "the store that was given" : "the store that weir.store names";
  }

  private RateLimiter limiter(
      PermitStore permits,
      LiveSettings settings,
      FoundParts found,
      InFlight inFlight,
      ClassLoader loader) {
    Settings now = settings.current();
    int capacity = (int) now.number("weir.load.capacity", 1_000, 1, 10_000_000);
    RateLimiterBuilder limiter = RateLimiters.builder();
    if (ticker.equals(Ticker.system())) { // another one may stand still
      limiter.startTimeout(now.duration("weir.store.start-timeout", START));
    }
    if (now.find("weir.store.nodes").isPresent()) {
      limiter.nodes((int) now.number("weir.store.nodes", 1, 1, 1_000_000));
    }
    return limiter
        .ticker(ticker)
        .store(permits)
        .loadSensor(
            found
                .loadSensor()
                .orElseGet(
                    () -> new LoadWhenAsked(() -> new SystemLoad(ticker, inFlight, capacity))))
        .metrics(metrics.orElseGet(() -> FoundMetrics.in(loader)))
        .storeTimeout(now.duration("weir.store.timeout", TENTH))
        .flushInterval(now.duration("weir.write-back.flush-interval", TENTH))
        .cacheBuckets(now.number("weir.write-back.max-buckets", 100_000, 1, 100_000_000))
        .reserve((int) now.number("weir.store.reserve", 0, 0, 90))
        .onStoreFailure(
            () -> settings.current().choice("weir.on-store-failure", OnStoreFailure.LOCAL))
        .build();
  }

  private static ScheduledExecutorService scheduler() {
    return Executors.newSingleThreadScheduledExecutor(WeirParts::thread);
  }
}
