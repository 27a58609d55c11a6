package io.weir.internal.application;

import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.engine.DefaultRateLimiterBuilder;
import io.weir.internal.engine.StoreLocator;
import io.weir.internal.load.InFlightCounter;
import io.weir.internal.load.LazyLoadSensor;
import io.weir.internal.load.SystemLoad;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.internal.region.RegionMode;
import io.weir.internal.region.RegionSettings;
import io.weir.internal.region.RegionSettingsReader;
import io.weir.internal.region.RegionShares;
import io.weir.internal.settings.LiveSettings;
import io.weir.internal.settings.LoadCurveSettings;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.spi.CostResolver;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.KeyResolver;
import io.weir.spi.LoadSensor;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import io.weir.spi.RefusalBody;
import io.weir.spi.RequestCondition;
import io.weir.spi.TierResolver;
import io.weir.spi.UserNames;
import io.weir.store.LeasingStore;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Collects the parts of a {@link io.weir.Weir} and wires them. Confine to one thread. */
public final class DefaultWeirBuilder implements WeirBuilder {
  private static final Logger LOG = System.getLogger(Weir.class.getName());

  /** A store that doesn't describe itself. */
  private static final String UNNAMED = "the store";

  private static final Duration TENTH = Duration.ofMillis(100);
  private static final Duration START = Duration.ofSeconds(2);

  private final GivenExtensions given = new GivenExtensions();
  private final Map<String, String> onTop = new LinkedHashMap<>();
  private Supplier<Map<String, String>> live = Map::of;
  private boolean onlyGiven;
  private Optional<PermitStore> store = Optional.empty();
  private final List<StoreProvider> storeProviders = new ArrayList<>();
  private UnaryOperator<LoadSensor> aroundLoad = UnaryOperator.identity();
  private Ticker ticker = Ticker.system();

  @Override
  public DefaultWeirBuilder settings(Map<String, String> settings) {
    onTop.putAll(settings);
    return this;
  }

  @Override
  public DefaultWeirBuilder liveSettings(Supplier<Map<String, String>> source) {
    this.live = Objects.requireNonNull(source, "source");
    return this;
  }

  @Override
  public DefaultWeirBuilder onlyGivenSettings() {
    this.onlyGiven = true;
    return this;
  }

  @Override
  public DefaultWeirBuilder keyResolver(String name, KeyResolver resolver) {
    given.keyResolvers.put(name, resolver);
    return this;
  }

  @Override
  public DefaultWeirBuilder costResolver(String name, CostResolver resolver) {
    given.costResolvers.put(name, resolver);
    return this;
  }

  @Override
  public DefaultWeirBuilder requestCondition(String name, RequestCondition condition) {
    given.conditions.put(name, condition);
    return this;
  }

  @Override
  public DefaultWeirBuilder tierResolver(TierResolver resolver) {
    given.tierResolver = Optional.of(resolver);
    return this;
  }

  @Override
  public DefaultWeirBuilder loadSensor(LoadSensor sensor) {
    given.loadSensor = Optional.of(sensor);
    return this;
  }

  @Override
  public DefaultWeirBuilder loadSensor(UnaryOperator<LoadSensor> around) {
    this.aroundLoad = around;
    return this;
  }

  @Override
  public DefaultWeirBuilder peerAddress(PeerAddress finder) {
    given.peerAddress = Optional.of(finder);
    return this;
  }

  @Override
  public DefaultWeirBuilder userNames(UserNames names) {
    given.userNames = Optional.of(names);
    return this;
  }

  @Override
  public DefaultWeirBuilder policySource(PolicySource source) {
    given.policySource = Optional.of(source);
    return this;
  }

  @Override
  public DefaultWeirBuilder policySourceProvider(PolicySourceProvider provider) {
    given.policySourceProvider = Optional.of(provider);
    return this;
  }

  @Override
  public DefaultWeirBuilder refusalBody(RefusalBody words) {
    given.refusalBody = Optional.of(words);
    return this;
  }

  @Override
  public DefaultWeirBuilder metrics(DecisionMetrics measure) {
    given.metrics = Optional.of(measure);
    return this;
  }

  @Override
  public DefaultWeirBuilder tracing(DecisionTracing spans) {
    given.tracing = Optional.of(spans);
    return this;
  }

  @Override
  public DefaultWeirBuilder store(PermitStore permits) {
    this.store = Optional.of(permits);
    return this;
  }

  @Override
  public DefaultWeirBuilder storeProvider(StoreProvider provider) {
    storeProviders.add(0, provider);
    return this;
  }

  @Override
  public DefaultWeirBuilder ticker(Ticker time) {
    this.ticker = time;
    return this;
  }

  @Override
  public WeirRuntime build() {
    return build(WeirRegistry.loader());
  }

  WeirRuntime build(ClassLoader loader) {
    LiveSettings settings =
        onlyGiven ? LiveSettings.only(loader, onTop) : LiveSettings.load(loader, live, onTop);
    ApplicationExtensions found =
        SettingExceptions.convert(() -> ApplicationExtensions.of(given, loader, settings::value));
    try {
      return build(loader, settings, found);
    } catch (RuntimeException | Error mistake) {
      found.policySource().ifPresent(PolicySource::close);
      throw mistake;
    }
  }

  private WeirRuntime build(
      ClassLoader loader, LiveSettings settings, ApplicationExtensions found) {
    Optional<RegionSettings> regions = RegionSettingsReader.read(settings.current());
    RegionShares shares = regions.map(RegionShares::of).orElse(RegionShares.NONE);
    PermitStore permits =
        store.orElseGet(() -> SettingExceptions.convert(() -> opened(settings.current())));
    ReportedRegions reported = ReportedRegions.NONE;
    try {
      reported = reported(regions, settings.current(), permits);
      PolicyCatalog catalog =
          new PolicyCatalog(settings, found.named(), permits, storeName(), shares);
      InFlightCounter inFlight = new InFlightCounter();
      RateLimiter limiter = limiter(reported.store(permits), settings, found, inFlight, shares);
      WeirRuntime weir =
          wired(settings, limiter, permits, reported, found, catalog, inFlight, loader);
      LOG.log(Level.INFO, "Requests are counted in " + place(weir.store(), permits));
      shares.describe().ifPresent(line -> LOG.log(Level.INFO, line));
      return weir;
    } catch (RuntimeException | Error mistake) {
      reported.end();
      reported.store(permits).close();
      throw mistake;
    }
  }

  private ReportedRegions reported(
      Optional<RegionSettings> regions, SettingsSnapshot now, PermitStore permits) {
    Duration timeout = WeirRuntime.storeTimeout(now);
    return regions
        .map(
            each ->
                each.mode() == RegionMode.SHARES
                    ? ReportedRegions.sharing(each, now, permits, timeout, ticker, storeProviders)
                    : ReportedRegions.open(each, now, permits, timeout, ticker, storeProviders))
        .orElse(ReportedRegions.NONE);
  }

  /** Wires all parts; if that fails, closes the limiter, which has started by now. */
  private WeirRuntime wired(
      LiveSettings settings,
      RateLimiter limiter,
      PermitStore permits,
      ReportedRegions reported,
      ApplicationExtensions found,
      PolicyCatalog catalog,
      InFlightCounter inFlight,
      ClassLoader loader) {
    try {
      return new WeirRuntime(
          settings,
          limiter,
          permits,
          shownStore(settings.current(), permits),
          reported.start(metrics(found)),
          found,
          catalog,
          ticker,
          inFlight,
          new MaintenanceTasks(MaintenanceTasks.newScheduler(), WeirRegistry::closeForgotten),
          loader);
    } catch (RuntimeException | Error mistake) {
      limiter.close();
      throw mistake;
    }
  }

  private static DecisionMetrics metrics(ApplicationExtensions found) {
    return found
        .policySource()
        .flatMap(PolicySource::metrics)
        .map(ofSource -> combined(ofSource, found.metrics()))
        .orElse(found.metrics());
  }

  // Without metrics of the application, the source's are called directly.
  private static DecisionMetrics combined(DecisionMetrics ofSource, DecisionMetrics ofApplication) {
    return ofApplication.equals(DecisionMetrics.none())
        ? ofSource
        : new CombinedMetrics(ofSource, ofApplication);
  }

  private PermitStore opened(SettingsSnapshot now) {
    String address = now.text("weir.store", "inprocess:");
    return StoreLocator.open(address, name -> now.find(name).orElse(""), ticker, storeProviders);
  }

  private String shownStore(SettingsSnapshot now, PermitStore permits) {
    if (store.isPresent()) {
      return store.get().getClass().getSimpleName();
    }
    String address = now.text("weir.store", "inprocess:").strip();
    boolean isSchemeAlone = address.replaceFirst(":$", "").indexOf(':') < 0;
    return isSchemeAlone && permits instanceof LeasingStore found
        ? found.describe()
        : withoutSecrets(address);
  }

  private static String place(String shown, PermitStore permits) {
    if (shown.equalsIgnoreCase("inprocess:") || shown.equalsIgnoreCase("inprocess")) {
      return "this process";
    }
    String described = permits instanceof LeasingStore leasing ? leasing.describe() : UNNAMED;
    return described.equals(UNNAMED) ? shown : described;
  }

  // Drops the user and the password, up to the last @ before the path, and the query, which may
  // hold them in other schemes.
  private static String withoutSecrets(String address) {
    return address.replaceFirst("//[^/]*@", "//").replaceFirst("\\?.*", "");
  }

  private String storeName() {
    return store.isPresent() ? "the store that was given" : "the store that weir.store names";
  }

  private RateLimiter limiter(
      PermitStore permits,
      LiveSettings settings,
      ApplicationExtensions found,
      InFlightCounter inFlight,
      RegionShares shares) {
    SettingsSnapshot now = settings.current();
    int capacity = (int) now.number("weir.load.capacity", 1_000, 1, 10_000_000);
    DefaultRateLimiterBuilder limiter = new DefaultRateLimiterBuilder().regionShares(shares);
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
                    () ->
                        aroundLoad.apply(
                            new LazyLoadSensor(() -> new SystemLoad(ticker, inFlight, capacity)))))
        .loadCurves(new LoadCurveSettings(settings))
        .metrics(metrics(found))
        .tracing(found.tracing())
        .storeTimeout(WeirRuntime.storeTimeout(now))
        .flushInterval(now.duration("weir.write-back.flush-interval", TENTH))
        .cacheBuckets(now.number("weir.write-back.max-buckets", 100_000, 1, 100_000_000))
        .leasesForSlowCallers(now.flag("weir.write-back.leases-for-slow-callers", true))
        .reserve((int) now.number("weir.store.reserve", 0, 0, 90))
        .onStoreFailure(
            () -> settings.current().choice("weir.on-store-failure", OnStoreFailure.LOCAL))
        .build();
  }
}
