package io.weir.internal.application;

import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.adapter.EndpointType;
import io.weir.internal.clock.ClockJumpDetector;
import io.weir.internal.engine.InternalRateLimiter;
import io.weir.internal.extension.SafePolicySource;
import io.weir.internal.extension.SafeRefusalBody;
import io.weir.internal.extension.SafeTierResolver;
import io.weir.internal.guard.AppliedPolicyReader;
import io.weir.internal.guard.GuardOptions;
import io.weir.internal.guard.PolicySourceLimiter;
import io.weir.internal.guard.RequestReaderFactory;
import io.weir.internal.guard.RequestServices;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.load.InFlightCounter;
import io.weir.internal.policy.MethodCostSettings;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.internal.settings.LiveSettings;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.spi.UserNames;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the parts of a {@link WeirRuntime} and closes them: settings, limiter, the parts that
 * the application plugs in, endpoints, and periodic tasks.
 *
 * <p>Safe for concurrent use.
 */
final class RuntimeServices implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());

  private final LiveSettings settings;
  private final InternalRateLimiter limiter;
  private final RateLimiter directLimiter;
  private final Ticker ticker;
  private final Optional<PeerAddress> peerAddress;
  private final UserNames userNames;
  private final boolean callsApplication;
  private final Optional<SafePolicySource> policySource;
  private final Optional<SafeRefusalBody> refusalBody;
  private final RequestServices requests;
  private final EndpointRegistry endpoints;
  private final ClockJumpDetector clock =
      new ClockJumpDetector(
          "The clock of this node",
          "times of day that callers get (X-RateLimit-Reset) are wrong. If the machine was"
              + " suspended, leases have ended, and you need do nothing. A clock that was set back"
              + " changes no limit; one that was set ahead ends windows counted in this process"
              + " too early. Have chrony or ntpd set it gradually");
  private final String shownStore;
  private final MaintenanceTasks tasks;

  RuntimeServices(
      LiveSettings settings,
      RateLimiter limiter,
      PermitStore store,
      String shownStore,
      ApplicationExtensions found,
      PolicyCatalog catalog,
      Ticker ticker,
      InFlightCounter inFlight,
      MaintenanceTasks tasks) {
    ScheduledExecutorService scheduler = tasks.scheduler();
    InternalRateLimiter recording = InternalRateLimiter.of(limiter);
    this.settings = settings;
    this.limiter = recording;
    this.ticker = ticker;
    this.shownStore = shownStore;
    this.peerAddress = found.peerAddress();
    this.userNames = found.userNames();
    this.callsApplication = found.areCalled();
    this.refusalBody = found.refusalBody().map(each -> new SafeRefusalBody(each, ticker));
    SafeTierResolver tiers = new SafeTierResolver(found.tiers());
    CurrentAddresses addresses = new CurrentAddresses();
    RequestReaderFactory readers =
        new RequestReaderFactory(
            found.keyResolvers(), found.costResolvers(), found.conditions(), addresses);
    AppliedPolicyReader appliedPolicies = new AppliedPolicyReader(store, readers::of);
    Duration timeout = storeTimeout(settings.current());
    this.policySource =
        found
            .policySource()
            .map(source -> new SafePolicySource(source, timeout, ticker, scheduler));
    this.requests =
        new RequestServices(
            recording,
            tiers,
            policySource.orElse(null),
            appliedPolicies,
            ticker,
            shownStore,
            inFlight,
            options(settings.current()));
    addresses.requests = requests;
    this.endpoints = new EndpointRegistry(catalog, readers, requests);
    requests.setCalls(
        (type, method, misfits) ->
            Optional.of(
                endpoints.endpointAtRequest(
                    type, Optional.of(method), EndpointType.METHOD, misfits)));
    endpoints.checkUnmatched();
    settings.follow(
        changed -> {
          GuardOptions next = options(changed);
          return () -> requests.change(next);
        });
    Optional<PolicySourceLimiter> inForce =
        policySource.map(
            source -> new PolicySourceLimiter(recording, source, appliedPolicies, tiers));
    inForce.ifPresent(
        direct ->
            start(
                policySource.get().source(),
                new ApplicationSourceContext(
                    settings,
                    ticker,
                    catalog,
                    readers,
                    new MethodCostSettings(settings),
                    recording,
                    direct,
                    store,
                    new StoreUsageReader(store, ticker, timeout, scheduler)),
                appliedPolicies));
    this.directLimiter = inForce.<RateLimiter>map(direct -> direct).orElse(limiter);
    this.tasks =
        tasks.add(settings::refreshSettled).add(endpoints::checkUnmatched).add(this::checkClock);
    tasks.start(); // last: from here on nothing fails, and so no thread is left behind
  }

  private static void start(
      PolicySource source, ApplicationSourceContext context, AppliedPolicyReader applied) {
    SettingExceptions.convert(
        () -> {
          source.start(context);
          return source;
        });
    source.onChange(applied::forgetPolicies);
  }

  private GuardOptions options(SettingsSnapshot now) {
    return GuardOptions.of(now, ticker, refusalBody.map(each -> each));
  }

  /** Returns the longest wait of a decision for the store, and for a policy source. */
  static Duration storeTimeout(SettingsSnapshot settings) {
    return settings.duration("weir.store.timeout", Duration.ofMillis(100));
  }

  private void checkClock() {
    long before = ticker.nanoTime() / 1_000;
    long timeOfDay = ticker.epochMicros();
    clock.record(timeOfDay, before, ticker.nanoTime() / 1_000);
  }

  void warnUnlessInForce(Map<String, String> wanted) {
    List<String> without =
        wanted.entrySet().stream()
            .filter(
                each ->
                    !settings.current().find(each.getKey()).equals(Optional.of(each.getValue())))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    if (!without.isEmpty()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Settings without effect, since the application's Weir already exists: " + without);
    }
  }

  /** Returns the value of a setting in force. */
  String setting(String name) {
    return settings.value(name);
  }

  /** Reads the settings again. */
  void refresh() {
    settings.refresh();
  }

  /** Returns the limiter that applications call themselves, which follows the policy source. */
  RateLimiter directLimiter() {
    return directLimiter;
  }

  RequestServices requests() {
    return requests;
  }

  /** Returns the limiter of requests, also after the end. */
  InternalRateLimiter limiter() {
    return limiter;
  }

  EndpointRegistry endpoints() {
    return endpoints;
  }

  /** Returns the address of the store, without secrets. */
  String shownStore() {
    return shownStore;
  }

  Ticker ticker() {
    return ticker;
  }

  boolean callsApplication() {
    return callsApplication;
  }

  Optional<PeerAddress> peerAddress() {
    return peerAddress;
  }

  UserNames userNames() {
    return userNames;
  }

  Optional<SafePolicySource> policySource() {
    return policySource;
  }

  @Override
  public void close() {
    requests.end();
    tasks.close();
    endpoints.checkUnmatchedAtEnd();
    settings.close();
    policySource.ifPresent(SafePolicySource::close);
    refusalBody.ifPresent(SafeRefusalBody::close);
    limiter.close();
  }

  /**
   * Determines the address of a caller as settings in force have it. A class of its own, so that
   * endpoints, which a container may keep in memory, don't refer to all the services.
   */
  private static final class CurrentAddresses implements Supplier<ClientAddress> {
    private volatile @Nullable RequestServices requests;

    @Override
    public ClientAddress get() {
      return Objects.requireNonNull(requests).options().addresses();
    }
  }
}
