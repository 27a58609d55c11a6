package io.weir.internal.application;

import io.weir.Decision;
import io.weir.EndpointPolicy;
import io.weir.RateLimiter;
import io.weir.RegionStatus;
import io.weir.RequestChecker;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.adapter.EndpointType;
import io.weir.internal.access.AccessFinding;
import io.weir.internal.access.AccessLists;
import io.weir.internal.ban.BanList;
import io.weir.internal.ban.BanListener;
import io.weir.internal.ban.Bans;
import io.weir.internal.clock.ClockJumpDetector;
import io.weir.internal.engine.InternalRateLimiter;
import io.weir.internal.extension.SafePolicySource;
import io.weir.internal.extension.SafeRefusalBody;
import io.weir.internal.extension.SafeTierResolver;
import io.weir.internal.guard.AccessGate;
import io.weir.internal.guard.AppliedPolicyReader;
import io.weir.internal.guard.DefaultRequestChecker;
import io.weir.internal.guard.GuardOptions;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.NextDecision;
import io.weir.internal.guard.NextDecisionReader;
import io.weir.internal.guard.PolicySourceLimiter;
import io.weir.internal.guard.RequestReaderFactory;
import io.weir.internal.guard.RequestServices;
import io.weir.internal.http.RateLimitFields;
import io.weir.internal.http.RefusalFactory;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.load.InFlightCounter;
import io.weir.internal.policy.LivePolicy;
import io.weir.internal.policy.MethodCostSettings;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.internal.region.RegionCounts;
import io.weir.internal.region.RegionPeeks;
import io.weir.internal.settings.LiveSettings;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.spi.UserNames;
import io.weir.store.BucketId;
import io.weir.store.ExactBuckets;
import io.weir.store.PermitStore;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the {@link Weir} of one application: wires its limiter, the parts that it plugs in,
 * endpoints and periodic tasks, and closes them. Adapters use it to find the policies of an
 * endpoint and to answer requests.
 *
 * <p>Safe for concurrent use.
 */
public final class WeirRuntime implements Weir {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());
  private static final Duration EXPLAIN_TIMEOUT = Duration.ofSeconds(5);

  private final LiveSettings settings;
  private final InternalRateLimiter limiter;
  private final RateLimiter directLimiter;
  private final Ticker ticker;
  private final Optional<PeerAddress> peerAddress;
  private final UserNames userNames;
  private final boolean callsApplication;
  private final AccessLists access;
  private final Bans bans;
  private final Optional<SafePolicySource> policySource;
  private final Optional<SafeRefusalBody> refusalBody;
  private final RequestServices requests;
  private final EndpointRegistry endpoints;
  private final ClockJumpDetector clock =
      new ClockJumpDetector(
          "The clock of this node",
          "the times that callers get (X-RateLimit-Reset) are wrong. If the machine was suspended,"
              + " leases have expired, and there is nothing to do. A clock that was set back"
              + " changes no limit; one that was set ahead ends windows counted in this process"
              + " too early. Let chrony or ntpd adjust it gradually");
  private final String shownStore;
  private final ReportedRegions regions;
  private final MaintenanceTasks tasks;
  private final PolicyCatalog catalog;
  private final InFlightCounter inFlight;
  private final WeakReference<ClassLoader> home;
  private final RequestChecker checker;
  private final NextDecisionReader next;
  private final EndpointTypeRegistry types = new EndpointTypeRegistry();

  /**
   * Wires all parts, and starts the periodic tasks.
   *
   * @param limiter has started; the caller closes it if this fails
   * @param shownStore the address of the store, without secrets
   * @param regions the other regions, to which the limiter's store reports
   * @param home the loader of the application's classes
   */
  WeirRuntime(
      LiveSettings settings,
      RateLimiter limiter,
      PermitStore store,
      String shownStore,
      ReportedRegions regions,
      ApplicationExtensions found,
      PolicyCatalog catalog,
      Ticker ticker,
      InFlightCounter inFlight,
      MaintenanceTasks tasks,
      ClassLoader home) {
    ScheduledExecutorService scheduler = tasks.scheduler();
    InternalRateLimiter recording = InternalRateLimiter.of(limiter);
    this.settings = settings;
    this.catalog = catalog;
    this.inFlight = inFlight;
    this.home = new WeakReference<>(home);
    this.limiter = recording;
    this.ticker = ticker;
    this.shownStore = shownStore;
    this.regions = regions;
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
    this.access = new AccessLists(readers::keyResolver, readers.keyResolvers(), ticker);
    BanList banList = new BanList(ticker, mostBans(settings.current()));
    this.bans =
        new Bans(
            banList,
            ticker,
            store,
            policySource,
            banListener(recording),
            task -> {
              var unused = scheduler.schedule(task, 1, TimeUnit.SECONDS);
            });
    this.requests =
        new RequestServices(
            recording,
            tiers,
            policySource.orElse(null),
            appliedPolicies,
            access,
            bans,
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
    this.checker = new DefaultRequestChecker(requests, endpoints);
    this.next =
        new NextDecisionReader(
            requests,
            endpoints,
            catalog::limitsEndpoints,
            new TimedCalls(
                EXPLAIN_TIMEOUT,
                call -> DaemonThreadFactory.ofApplication("weir-explain").newThread(call)));
    endpoints.checkUnmatched();
    catalog.ofPaths().forEach(this::useBans);
    settings.follow(
        changed -> {
          GuardOptions options = options(changed);
          Runnable changeAccess = access.prepare(changed, options.addresses());
          return () -> {
            requests.change(options);
            changeAccess.run();
            banList.setMost(mostBans(changed));
          };
        });
    policySource.ifPresent(
        source -> source.followAccessList(access::setSourceEntries, banList::setKept));
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
                    access,
                    recording,
                    direct,
                    store,
                    new StoreUsageReader(store, ticker, timeout, scheduler)),
                appliedPolicies));
    this.directLimiter = inForce.<RateLimiter>map(direct -> direct).orElse(limiter);
    this.tasks =
        tasks
            .add(settings::refreshSettled)
            .add(endpoints::checkUnmatched)
            .add(this::checkClock)
            .add(banList::removeEnded);
    access.start();
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

  private static int mostBans(SettingsSnapshot now) {
    return (int) now.number("weir.bans.max", 10_000, 1, 1_000_000);
  }

  private static BanListener banListener(InternalRateLimiter metrics) {
    return new BanListener() {
      @Override
      public void struck(String policy) {
        metrics.recordStrike(policy);
      }

      @Override
      public void banned(String policy, boolean isShadow) {
        metrics.recordBan(policy, isShadow);
      }
    };
  }

  private GuardOptions options(SettingsSnapshot now) {
    return GuardOptions.of(now, ticker, refusalBody.map(each -> each));
  }

  /**
   * Returns the runtime behind a Weir.
   *
   * @throws IllegalArgumentException if it is another implementation
   */
  public static WeirRuntime of(Weir weir) {
    if (weir instanceof WeirRuntime runtime) {
      return runtime;
    }
    throw new IllegalArgumentException(
        "must be made by Weir.builder() or Weir.application(), but is a " + weir.getClass());
  }

  @Override
  public WeirRuntime install() {
    WeirRegistry.install(this);
    return this;
  }

  /**
   * Warns of settings that come too late, since this Weir was made without them.
   *
   * @param wanted by their full names; those that are in force with the same value are fine
   */
  public void warnUnlessInForce(Map<String, String> wanted) {
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

  @Override
  public RateLimiter limiter() {
    return directLimiter;
  }

  @Override
  public RequestChecker checker() {
    return checker;
  }

  /** Remembers from now on where requests are decided, so that {@link #next} knows. */
  public void rememberRoutes() {
    requests.rememberRoutes();
  }

  /**
   * Reads the decision that the next request to this node would get, while nothing else runs. Takes
   * no permits. Waits for the application's resolvers and the policy source at most 5 s, and for
   * the store at most its time-out for each policy. The parameters are those of {@link
   * NextDecisionReader#read}.
   *
   * @throws io.weir.InvalidRequestException if a policy can't count the request
   */
  public NextDecision next(RequestInfo request, Predicate<String> isGiven) {
    return next.read(request, isGiven);
  }

  /**
   * Returns the buckets that the store counts exactly, for clients that bring their own parameters;
   * empty if the store has none.
   */
  public Optional<ExactBuckets> exactBuckets() {
    return limiter.exactBuckets();
  }

  /** Returns whether it decides requests; false once it is closed. */
  public boolean isOpen() {
    return requests.isOpen();
  }

  @Override
  public boolean isStoreAway() {
    return limiter.isStoreAway();
  }

  @Override
  public int nodes() {
    return limiter.nodes();
  }

  @Override
  public List<RegionStatus> regions() {
    return regions.status();
  }

  /**
   * Asks the store of each region, this one's included, what it has counted of the buckets of some
   * decisions. Takes nothing and changes nothing there. Waits for the answers, until the time-out
   * of the slowest store has passed at the latest: a region that hasn't answered by then has the
   * reason in place of a count.
   *
   * @param parts decisions of one policy each
   * @return the counts for each decision, by the decision itself; those of access lists have none.
   *     An empty map without regions, and then nobody is asked
   */
  public Map<Decision, RegionCounts> askRegions(List<Decision> parts) {
    List<Decision> counted = parts.stream().filter(each -> !AccessGate.isOfList(each)).toList();
    List<RegionCounts> counts = regions.ask(counted.stream().map(this::question).toList());
    Map<Decision, RegionCounts> all = new HashMap<>(); // each is equal to itself alone
    for (int at = 0; at < counts.size(); at++) {
      all.put(counted.get(at), counts.get(at));
    }
    return all;
  }

  private RegionPeeks.Question question(Decision part) {
    return new RegionPeeks.Question(
        new BucketId(part.policy().spec(), part.key()),
        shares -> limiter.termsInRegion(part, shares));
  }

  public Ticker ticker() {
    return ticker;
  }

  /**
   * Reads a setting that is in force: its value, else the default that a module declares, else the
   * empty string.
   */
  public String setting(String name) {
    return settings.value(name);
  }

  /**
   * Reads and validates the annotations of classes before the first request.
   *
   * @throws io.weir.InvalidPolicyException if there are mistakes, all of them in one message
   */
  public void check(Collection<Class<?>> types, EndpointType site) {
    catalog.check(types, site, this::useBans);
  }

  /**
   * Takes note of a policy that may ban callers from the whole application, before endpoints are
   * bound that nothing limits.
   */
  private void useBans(LivePolicy policy) {
    policy.current().ban().ifPresent(terms -> bans.use(policy.name(), terms));
  }

  /**
   * Finds the endpoint of a method, with the policies of its annotations or those of its class.
   *
   * @return the same object at each call; empty if no policy limits the method
   * @throws io.weir.InvalidPolicyException if there are mistakes
   */
  public GuardedEndpoint endpoint(Class<?> type, Method method, EndpointType site) {
    return endpoints.endpoint(type, method, site);
  }

  /**
   * Finds the endpoint of a class that serves requests by no method of its own.
   *
   * @throws io.weir.InvalidPolicyException if there are mistakes
   */
  public GuardedEndpoint endpoint(Class<?> type, EndpointType site) {
    return endpoints.endpoint(type, site);
  }

  /**
   * Finds the endpoint of a method or class that the first request for it reads: settings that
   * don't suit it are ignored until they are corrected, so that they can't fail the request.
   *
   * @param method the method that answers; empty for the class as a whole
   * @return the same object at each call; empty if no policy limits the method
   * @throws io.weir.InvalidPolicyException if there are mistakes in annotations
   */
  public GuardedEndpoint endpointAtRequest(
      Class<?> type, Optional<Method> method, EndpointType site) {
    return endpoints.endpointAtRequest(type, method, site, policy -> List.of());
  }

  /**
   * Returns whether settings bind a policy to any URL pattern, or leave out paths of any policy.
   *
   * @return false if no path needs to be read; follows the settings
   */
  public boolean limitsPaths() {
    return catalog.limitsPaths();
  }

  /**
   * Finds the endpoint of a path.
   *
   * @param path the decoded path within the application, as the container matched it
   * @param ignoresSlash whether the handler of the path ignores a slash at its end
   * @param ignoresCase whether the path has the same handler in another case
   * @return an endpoint with the policies of all patterns that match
   */
  public GuardedEndpoint endpoint(String path, boolean ignoresSlash, boolean ignoresCase) {
    return endpoints.endpoint(path, ignoresSlash, ignoresCase);
  }

  /**
   * Returns the endpoint that no policy limits.
   *
   * @return the same object at each call; not empty if a policy source may add policies
   */
  public GuardedEndpoint unlimited() {
    return endpoints.unlimited();
  }

  /**
   * Returns the endpoint of a resource without a class to read, such as a page: with the policy of
   * the whole application, if there is one.
   */
  public GuardedEndpoint withoutClass() {
    return endpoints.ofApplication();
  }

  @Override
  public String table() {
    String table = catalog.table();
    String all = policySource.map(source -> source.addTo(table)).orElse(table);
    int banned = bans().size();
    return all
        + access.describe().map(line -> line + "\n").orElse("")
        + (banned == 0 ? "" : "bans in force on this node: " + banned + "\n");
  }

  /**
   * Warns of settings for policies that don't exist. Call it once all endpoints that are known at
   * start-up have been read.
   */
  void warnOfUnknownPolicies() {
    catalog.warnOfUnknownPolicies();
  }

  @Override
  public List<EndpointPolicy> policies() {
    return catalog.endpointPolicies();
  }

  @Override
  public String store() {
    return shownStore;
  }

  /** Returns whether decisions call parts of the application, and so may block in them. */
  public boolean callsApplication() {
    return callsApplication;
  }

  /**
   * Returns the application's own way to find the peer's address, for adapters that can't. It finds
   * none if the application's code fails.
   */
  public Optional<PeerAddress> peerAddress() {
    return peerAddress;
  }

  /** Returns names of users; they name no user if the application's code fails. */
  public UserNames userNames() {
    return userNames;
  }

  @Override
  public void check(Class<?>... types) {
    catalog.check(List.of(types), EndpointType.METHOD);
  }

  @Override
  public void checkWoven(Class<?>... types) {
    catalog.checkWoven(List.of(types));
  }

  @Override
  public int requestsInFlight() {
    return inFlight.current();
  }

  /**
   * Returns the class loader of the application that made this Weir, to find its classes; empty
   * once the application is gone.
   */
  public Optional<ClassLoader> applicationLoader() {
    return Optional.ofNullable(home.get());
  }

  /**
   * Forgets the endpoints of an application that this Weir outlives, so that its classes can be
   * unloaded, and it can start again with other limits. Counts stay.
   *
   * @param application the loader of the application's classes; without effect if this Weir itself
   *     belongs to them
   */
  void forget(ClassLoader application) {
    @Nullable ClassLoader own = home.get();
    while (own != null && own != application) {
      own = own.getParent();
    }
    if (own == null) {
      endpoints.forget(application);
    }
  }

  @Override
  public Optional<PolicySource> source() {
    return policySource.map(SafePolicySource::source);
  }

  /**
   * Returns whether a policy source may add policies to any request, so that any may need the
   * caller's address.
   */
  public boolean hasPolicySource() {
    return policySource.isPresent();
  }

  /**
   * Returns whether an access list may deny any request: it has entries, or settings name a place
   * for them.
   */
  public boolean hasAccessList() {
    return requests.mayShutOut();
  }

  /** Returns the expression that reads the keys of an access list; empty if none is read. */
  public String accessKeyExpression() {
    return access.keyExpression();
  }

  /** Returns whether any endpoint that was found so far has a policy that reads bodies. */
  public boolean readsBodies() {
    return requests.readsBodies();
  }

  @Override
  public List<AccessEntry> bans() {
    return bans.list().inForce();
  }

  @Override
  public boolean liftBan(AccessSubject subject) {
    return bans.lift(subject);
  }

  /** See {@link AccessGate#peek}. */
  public AccessFinding peekAccess(RequestInfo request) {
    return AccessGate.peek(requests, request);
  }

  /** See {@link AccessGate#decide}. */
  public AccessFinding decideAccess(RequestInfo request) {
    return AccessGate.decide(requests, request);
  }

  public RateLimitFields fields() {
    return requests.fields();
  }

  /** Returns the maker of refusals, for calls that an aspect refused. */
  public RefusalFactory refusals() {
    return requests.refusals();
  }

  boolean hasRead(Class<?> handler) {
    return catalog.hasRead(handler);
  }

  EndpointTypeRegistry types() {
    return types;
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

  EndpointRegistry endpoints() {
    return endpoints;
  }

  RequestServices requests() {
    return requests;
  }

  @Override
  public void refresh() {
    settings.refresh();
  }

  @Override
  public void close() {
    requests.end();
    WeirRegistry.remove(this);
    tasks.close();
    endpoints.checkUnmatchedAtEnd();
    settings.close();
    access.close();
    policySource.ifPresent(SafePolicySource::close);
    refusalBody.ifPresent(SafeRefusalBody::close);
    regions.end();
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
