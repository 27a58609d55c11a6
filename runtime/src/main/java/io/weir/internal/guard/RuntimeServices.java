package io.weir.internal.guard;

import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.clock.ClockJumpDetector;
import io.weir.internal.engine.RecordingLimiter;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.policy.CostSettings;
import io.weir.internal.policy.LivePolicy;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.internal.settings.LiveSettings;
import io.weir.internal.settings.Settings;
import io.weir.spi.PeerAddress;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What a {@link WeirRuntime} uses: the settings and what follows them, the limiter, the parts of
 * the application, the policies in use, and the tasks that run periodically.
 *
 * <p>Safe for concurrent use.
 */
final class RuntimeServices implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());

  private final LiveSettings settings;
  private final RecordingLimiter limiter;
  private final RateLimiter limiterByHand;
  private final SafeTierResolver tiers;
  private final RequestReaders readers;
  private final Optional<PeerAddress> peerAddress;
  private final Optional<SafePolicySource> policySource;
  private final Optional<SafeRefusalBody> refusalBody;
  private final Map<LivePolicy, GuardedPolicy> guarded = new ConcurrentHashMap<>();
  private final UnmatchedPolicies unmatched;
  private final Ticker ticker;
  private final ClockJumpDetector clock =
      new ClockJumpDetector(
          "The clock of this node",
          "times of day that callers get (X-RateLimit-Reset) are wrong. If the machine was"
              + " suspended, leases have ended, and nothing need be done. A clock that was set back"
              + " changes no limit; one that was set ahead moves on the windows that this process"
              + " counts. Have it set gradually, by chrony or ntpd");
  private final PeriodicTasks tasks;

  private volatile RuntimeOptions options;

  RuntimeServices(
      LiveSettings settings,
      RateLimiter limiter,
      PermitStore store,
      DiscoveredParts found,
      PolicyCatalog catalog,
      Ticker ticker,
      ScheduledExecutorService scheduler) {
    this.settings = settings;
    this.limiter = RecordingLimiter.of(limiter);
    this.tiers = new SafeTierResolver(found.tiers());
    this.readers = new RequestReaders(found, this::addresses);
    this.peerAddress = found.peerAddress();
    this.ticker = ticker;
    this.unmatched = new UnmatchedPolicies(catalog, guarded);
    unmatched.check();
    this.refusalBody = found.refusalBody().map(each -> new SafeRefusalBody(each, ticker));
    this.options = options(settings.current());
    settings.follow(
        changed -> {
          RuntimeOptions next = options(changed);
          return () -> {
            options = next.after(options);
            options.addresses().takeEffect();
          };
        });
    StoreCounts counts =
        new StoreCounts(store, ticker, storeTimeout(settings.current()), scheduler);
    ApplicationContext application =
        new ApplicationContext(
            settings,
            ticker,
            catalog,
            readers,
            new CostSettings(settings),
            this.limiter,
            store,
            counts);
    found.policySource().ifPresent(source -> source.start(application));
    this.policySource =
        found
            .policySource()
            .map(
                source ->
                    new SafePolicySource(
                        source,
                        new AppliedPolicyReader(store, readers::of),
                        storeTimeout(settings.current()),
                        ticker,
                        scheduler));
    this.limiterByHand =
        policySource
            .<RateLimiter>map(source -> new SourcedLimiter(this.limiter, source, tiers))
            .orElse(limiter);
    // Last: from here on nothing fails, and so no thread is left behind.
    this.tasks =
        new PeriodicTasks(
            scheduler,
            List.of(
                settings::refreshSettled,
                unmatched::check,
                this::checkClock,
                WeirRegistry::closeForgotten));
  }

  private RuntimeOptions options(Settings now) {
    return RuntimeOptions.of(now, ticker, refusalBody.map(each -> each));
  }

  /** How long a decision waits for the store, and for a policy source. */
  static Duration storeTimeout(Settings settings) {
    return settings.duration("weir.store.timeout", Duration.ofMillis(100));
  }

  private void checkClock() {
    long before = ticker.nanoTime() / 1_000;
    long timeOfDay = ticker.epochMicros();
    clock.record(timeOfDay, before, ticker.nanoTime() / 1_000);
  }

  GuardedPolicy guarded(LivePolicy bound) {
    return guarded.computeIfAbsent(bound, this::guardedBy);
  }

  private GuardedPolicy guardedBy(LivePolicy bound) {
    return new GuardedPolicy(bound, readers.of(bound.current()), new PolicyUsage(bound.name()));
  }

  private ClientAddress addresses() {
    return options.addresses();
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
          "settings without effect, since the application's Weir was made before: " + without);
    }
  }

  /** Forgets policies that no endpoint has any more. */
  void forget(Collection<LivePolicy> gone) {
    guarded.keySet().removeAll(gone);
    unmatched.forget(gone);
  }

  /** The value of a setting in force. */
  String setting(String name) {
    return settings.value(name);
  }

  /** Reads the settings again now. */
  void refresh() {
    settings.refresh();
  }

  RecordingLimiter limiter() {
    return limiter;
  }

  /** The same for those who decide by hand, with what a policy source says of their policies. */
  RateLimiter limiterByHand() {
    return limiterByHand;
  }

  Ticker ticker() {
    return ticker;
  }

  SafeTierResolver tiers() {
    return tiers;
  }

  Optional<PeerAddress> peerAddress() {
    return peerAddress;
  }

  Optional<SafePolicySource> policySource() {
    return policySource;
  }

  RuntimeOptions options() {
    return options;
  }

  @Override
  public void close() {
    tasks.close();
    unmatched.checkAtEnd();
    settings.close();
    policySource.ifPresent(SafePolicySource::close);
    refusalBody.ifPresent(SafeRefusalBody::close);
    limiter.close();
  }
}
