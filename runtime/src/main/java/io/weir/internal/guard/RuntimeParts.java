package io.weir.internal.guard;

import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.clock.ClockJumpDetector;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.key.KeyReader;
import io.weir.internal.policy.BoundPolicy;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.internal.settings.LiveSettings;
import io.weir.spi.KeyResolver;
import io.weir.spi.PeerAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What a {@link WeirRuntime} is wired of. Safe for concurrent use. */
final class RuntimeParts {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());

  /** Often enough that a switch is thrown within 10 s, though it takes effect when read twice. */
  private static final long REREAD_SECONDS = 3;

  private final LiveSettings settings;
  private final RateLimiter limiter;
  private final SafeTierResolver tiers;
  private final Map<String, KeyResolver> resolvers;
  private final Optional<PeerAddress> peerAddress;
  private final ScheduledExecutorService scheduler;
  private final Map<BoundPolicy, GuardedPolicy> guarded = new ConcurrentHashMap<>();
  private final UnmatchedPolicies unmet;
  private final Ticker ticker;
  private final ClockJumpDetector clock =
      new ClockJumpDetector(
          "The clock of this node",
          "limits hold, since they go by a clock that nobody sets, but what is told by the time of"
              + " day (X-RateLimit-Reset, the edges of fixed windows that this process counts) is"
              + " off. Have it set gradually, by chrony or ntpd");
  private final Future<?> chores;

  /** Said already. Only the thread of the chores adds to it. */
  private final Set<String> troubles = new HashSet<>();

  private volatile LiveConfig setup;

  RuntimeParts(
      LiveSettings settings,
      RateLimiter limiter,
      DiscoveredParts found,
      PolicyCatalog catalog,
      Ticker ticker,
      ScheduledExecutorService scheduler) {
    this.settings = settings;
    this.limiter = limiter;
    this.tiers = new SafeTierResolver(found.tiers());
    this.resolvers = found.resolvers();
    this.peerAddress = found.peerAddress();
    this.scheduler = scheduler;
    this.ticker = ticker;
    this.unmet = new UnmatchedPolicies(catalog, guarded);
    unmet.look();
    this.setup = LiveConfig.of(settings.current(), ticker);
    settings.follow(
        changed -> {
          LiveConfig next = LiveConfig.of(changed, ticker);
          return () -> setup = next.after(setup);
        });
    this.chores =
        scheduler.scheduleWithFixedDelay(
            this::doChores, REREAD_SECONDS, REREAD_SECONDS, TimeUnit.SECONDS);
  }

  /** Each by itself: an executor would drop for good what throws once, and all switches with it. */
  private void doChores() {
    chore(settings::refreshSettled);
    chore(unmet::look);
    chore(this::lookAtClock);
    chore(WeirRegistry::closeForgotten);
  }

  private void chore(Runnable chore) {
    try {
      chore.run();
    } catch (Throwable broken) { // an Error too
      if (troubles.add(broken.toString())) {
        LOG.log(System.Logger.Level.ERROR, "A chore failed; it is tried again", broken);
      }
    }
  }

  private void lookAtClock() {
    long before = ticker.nanoTime() / 1_000;
    long timeOfDay = ticker.epochMicros();
    clock.look(timeOfDay, before, ticker.nanoTime() / 1_000);
  }

  /**
   * A daemon that takes nothing over from the request that starts it: neither its application's
   * class loader, so that it pins nothing, nor what its thread hands down.
   */
  static Thread thread(Runnable work) {
    Thread thread = new Thread(null, work, "weir", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(WeirRuntime.class.getClassLoader());
    return thread;
  }

  GuardedPolicy guarded(BoundPolicy bound) {
    return guarded.computeIfAbsent(bound, this::guardedBy);
  }

  private GuardedPolicy guardedBy(BoundPolicy bound) {
    return new GuardedPolicy(
        bound,
        KeyReader.of(bound.name(), bound.by(), bound.keys(), resolvers, this::addresses),
        new PolicyUsage(bound.name()));
  }

  private ClientAddress addresses() {
    return setup.addresses();
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
  void forget(Collection<BoundPolicy> gone) {
    guarded.keySet().removeAll(gone);
    unmet.forget(gone);
  }

  /** Reads the settings again now. */
  void refresh() {
    settings.refresh();
  }

  RateLimiter limiter() {
    return limiter;
  }

  SafeTierResolver tiers() {
    return tiers;
  }

  Optional<PeerAddress> peerAddress() {
    return peerAddress;
  }

  LiveConfig setup() {
    return setup;
  }

  void close() {
    chores.cancel(false);
    unmet.lookAtLast();
    scheduler.shutdownNow();
    settings.close();
    limiter.close();
  }
}
