package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Reason;
import io.weir.RequestChecker;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.engine.RecordingLimiter;
import io.weir.internal.extension.SafeLog;
import io.weir.internal.http.RateLimitFields;
import io.weir.internal.http.RefusalFactory;
import io.weir.internal.load.InFlight;
import io.weir.internal.policy.BoundPolicy;
import io.weir.internal.policy.EndpointKind;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.store.ExactBuckets;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The running {@link Weir} of one application, as the adapters use it: the policies of its
 * endpoints, and all that is needed to answer a request.
 *
 * <p>Safe for concurrent use.
 */
public final class WeirRuntime implements Weir {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());

  /** How an endpoint begins that is the name of a policy. */
  private static final String NAMED = "policy:";

  private final RuntimeServices services;
  private final PolicyCatalog catalog;
  private final InFlight inFlight;
  private final String store;
  private final WeakReference<ClassLoader> home;
  private final Map<List<BoundPolicy>, GuardedEndpoint> endpoints = new ConcurrentHashMap<>();
  private final GuardedEndpoint unlimited = new GuardedEndpoint(this, List.of());
  private final RequestChecker checker = new DefaultRequestChecker(this);
  private final AtomicBoolean metAfterEnd = new AtomicBoolean();
  private volatile boolean isOpen = true;

  WeirRuntime(
      RuntimeServices services,
      PolicyCatalog catalog,
      InFlight inFlight,
      String store,
      ClassLoader home) {
    this.services = services;
    this.catalog = catalog;
    this.inFlight = inFlight;
    this.store = store;
    this.home = new WeakReference<>(home);
  }

  /**
   * The running one behind what a user built.
   *
   * @param weir what {@link Weir#builder()} or {@link Weir#application()} made
   * @return the same
   * @throws IllegalArgumentException if it is somebody else's implementation
   */
  public static WeirRuntime of(Weir weir) {
    if (weir instanceof WeirRuntime runtime) {
      return runtime;
    }
    throw new IllegalArgumentException(
        "a Weir is made by Weir.builder() or Weir.application(), not by " + weir.getClass());
  }

  /**
   * The one of this application; made if there is none.
   *
   * @param onTop settings that go before all others if it has to be made
   * @return an open one, closed with the application
   */
  public static WeirRuntime application(Map<String, String> onTop) {
    return WeirRegistry.get(onTop);
  }

  /**
   * The one of the application that a class belongs to, for code that may run in threads of nobody:
   * found by the context class loader, else by the class's own; made for that if there is none.
   *
   * @param member a class of the application
   * @return an open Weir, closed with the application; nothing once the application has {@linkplain
   *     WeirHandle ended} or its Weir was closed, since nobody would close another one
   */
  public static Optional<WeirRuntime> application(Class<?> member) {
    return WeirRegistry.get(member);
  }

  @Override
  public WeirRuntime install() {
    WeirRegistry.install(this);
    return this;
  }

  /**
   * Warns of settings that somebody gives too late: this Weir has been made without them.
   *
   * @param settings by their full names; those that are in force with the same value are fine
   */
  public void warnUnlessInForce(Map<String, String> settings) {
    services.warnUnlessInForce(settings);
  }

  @Override
  public RateLimiter limiter() {
    return services.limiterByHand();
  }

  @Override
  public RequestChecker checker() {
    return checker;
  }

  /**
   * The buckets that the store counts exactly, for clients who bring their own parameters.
   *
   * @return nothing where it can't
   */
  public Optional<ExactBuckets> exactBuckets() {
    return recorder().exactBuckets();
  }

  /**
   * Whether it decides requests.
   *
   * @return false once it is closed
   */
  public boolean isOpen() {
    return isOpen;
  }

  /**
   * Whether the shared store couldn't be reached when it was last asked.
   *
   * @return false for a store in this process
   */
  public boolean isStoreAway() {
    return recorder().isStoreAway();
  }

  /** The limiter, for requests whose policies are known. */
  RecordingLimiter recorder() {
    return services.limiter();
  }

  /**
   * The application's time.
   *
   * @return the same that decides when windows end
   */
  public Ticker ticker() {
    return services.ticker();
  }

  /**
   * Reads a setting, as it is at the moment of the call.
   *
   * @param name its full name
   * @return its value, else the default that a module declares, else an empty text
   */
  public String setting(String name) {
    return services.setting(name);
  }

  /**
   * Reads and validates the annotations of classes before the first request.
   *
   * @param types the classes of endpoints
   * @param site what kind of endpoints they are
   * @throws io.weir.InvalidPolicyException if there are mistakes, all of them in one message
   */
  public void check(Collection<Class<?>> types, EndpointKind site) {
    catalog.check(types, site);
  }

  /**
   * The endpoint that a method answers, with the policies of its annotations or those of its class.
   *
   * @param type the class that serves
   * @param method the method that answers
   * @param site what kind of endpoint it is
   * @return always the same object; empty if nothing limits the method
   * @throws io.weir.InvalidPolicyException if there are mistakes
   */
  public GuardedEndpoint endpoint(Class<?> type, Method method, EndpointKind site) {
    return endpoint(catalog.of(type, method, site));
  }

  /**
   * The endpoint of a class that answers by no method of its own.
   *
   * @param type the class that serves
   * @param site what kind of endpoint it is
   * @return an endpoint with the policies of the class's annotations
   * @throws io.weir.InvalidPolicyException if there are mistakes
   */
  public GuardedEndpoint endpoint(Class<?> type, EndpointKind site) {
    return endpoint(catalog.of(type, site));
  }

  /**
   * The endpoint that a method answers, as a request asks for it first: settings that don't suit it
   * are ignored until they are mended, so that they can't fail the request.
   *
   * @param type the class that serves
   * @param method the method that answers; nothing for the class as a whole
   * @param site what kind of endpoint it is
   * @return always the same object; empty if nothing limits the method
   * @throws io.weir.InvalidPolicyException if there are mistakes in annotations
   */
  public GuardedEndpoint endpointAtRequest(
      Class<?> type, Optional<Method> method, EndpointKind site) {
    return endpointAtRequest(type, method, site, policy -> List.of());
  }

  /**
   * The same for a method whose parameters policies can read.
   *
   * @param type the class that serves
   * @param method the method that answers; nothing for the class as a whole
   * @param site what kind of endpoint it is
   * @param misfits says what is wrong with a policy for the parameters of the method
   * @return always the same object; empty if nothing limits the method
   * @throws io.weir.InvalidPolicyException if there are mistakes in annotations
   */
  public GuardedEndpoint endpointAtRequest(
      Class<?> type,
      Optional<Method> method,
      EndpointKind site,
      Function<Policy, List<String>> misfits) {
    return endpoint(catalog.atRequest(type, method, site, misfits));
  }

  /**
   * Whether the settings give any URL pattern a policy.
   *
   * @return false if no path needs to be read; follows the settings
   */
  public boolean limitsPaths() {
    return catalog.limitsPaths();
  }

  /**
   * The endpoint of a path.
   *
   * @param path the decoded path within the application, as the container matched it
   * @param ignoresSlash whether a slash at its end means nothing to whatever answers there
   * @return an endpoint with the policies of all patterns that match
   */
  public GuardedEndpoint endpoint(String path, boolean ignoresSlash) {
    return endpoint(catalog.byPath(path, ignoresSlash));
  }

  /**
   * The endpoint of what nothing limits.
   *
   * @return always the same; not empty where a policy source may add policies
   */
  public GuardedEndpoint unlimited() {
    return unlimited;
  }

  /**
   * The endpoint of what has no class that could be read, such as a page.
   *
   * @return an endpoint with the policy of the whole application, if there is one
   */
  public GuardedEndpoint withoutClass() {
    return endpoint(catalog.ofApplication());
  }

  /**
   * The endpoint that somebody asks about.
   *
   * @param path a path below the application, or {@code policy:NAME}
   * @return an endpoint with the policies of settings for the path and that of the application;
   *     with the one that is named, if there is one
   */
  GuardedEndpoint asked(String path) {
    if (path.startsWith(NAMED)) {
      return endpoint(catalog.named(path.substring(NAMED.length())).stream().toList());
    }
    return endpoint(path, false).and(withoutClass());
  }

  /**
   * The endpoint of whatever somebody asks about and nothing else limits.
   *
   * @return an endpoint with the policy of {@code weir.default.*}, if there is one
   */
  GuardedEndpoint askedByDefault() {
    return endpointAtRequest(RequestChecker.class, Optional.empty(), EndpointKind.SERVLET);
  }

  private GuardedEndpoint endpoint(List<BoundPolicy> policies) {
    GuardedEndpoint known = endpoints.get(policies);
    return known != null ? known : endpoints.computeIfAbsent(policies, this::join);
  }

  private GuardedEndpoint join(List<BoundPolicy> policies) {
    List<GuardedPolicy> guarded = new ArrayList<>(policies.size());
    for (BoundPolicy each : policies) {
      guarded.add(services.guarded(each));
    }
    return new GuardedEndpoint(this, List.copyOf(guarded));
  }

  @Override
  public String table() {
    String table = catalog.table();
    return policySource().map(source -> source.addTo(table)).orElse(table);
  }

  @Override
  public String store() {
    return store;
  }

  /**
   * Finds the peer's address where an adapter can't.
   *
   * @return the application's own, which finds nothing where it fails
   */
  public Optional<PeerAddress> peerAddress() {
    return services.peerAddress();
  }

  @Override
  public void check(Class<?>... types) {
    catalog.check(List.of(types), EndpointKind.METHOD);
  }

  @Override
  public int requestsInFlight() {
    return inFlight.current();
  }

  /**
   * Counts the requests in flight, for the load of the node.
   *
   * @return the counter, which adapters update
   */
  public InFlight inFlight() {
    return inFlight;
  }

  /**
   * The class loader of the application that made this Weir, by which adapters find its classes.
   *
   * @return nothing once the application is gone
   */
  public Optional<ClassLoader> applicationLoader() {
    return Optional.ofNullable(home.get());
  }

  /**
   * Forgets the endpoints of an application that has ended and this Weir outlives, so that it can
   * go, and come again with other limits. What was counted stays.
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
      Collection<BoundPolicy> gone = catalog.forget(application);
      endpoints.keySet().removeIf(each -> !Collections.disjoint(each, gone));
      services.forget(gone);
    }
  }

  boolean enabled() {
    return services.options().enabled();
  }

  /**
   * Whether requests that are served here are decided. Once this is closed they pass, since a
   * shutdown hook may run before the server has drained; callers of the limiter itself are refused,
   * since they have code for that.
   */
  boolean decidesServed() {
    if (!enabled()) {
      return false;
    }
    if (!isOpen && !metAfterEnd.getAndSet(true)) {
      boolean unused =
          SafeLog.tryLog(
              LOG,
              System.Logger.Level.WARNING,
              "Requests still arrive after this Weir ("
                  + store
                  + ") was closed: they are admitted without limits (logged once). Close it after the"
                  + " server has answered its last request.");
    }
    return isOpen;
  }

  /** Whether a request that waited was refused only since this was closed meanwhile. */
  boolean isRefusedByItsEnd(Decision decision) {
    return !isOpen && !decision.admitted() && decision.reason() == Reason.STORE_UNAVAILABLE;
  }

  @Override
  public Optional<PolicySource> source() {
    return policySource().map(SafePolicySource::source);
  }

  Optional<SafePolicySource> policySource() {
    return services.policySource();
  }

  /**
   * Whether a policy source may add policies to any request.
   *
   * @return true if the application has one; then any request may need the caller's address
   */
  public boolean hasPolicySource() {
    return policySource().isPresent();
  }

  SafeTierResolver tiers() {
    return services.tiers();
  }

  /**
   * Writes the header fields that tell of limits.
   *
   * @return the writer that follows the settings
   */
  public RateLimitFields fields() {
    return services.options().fields();
  }

  /**
   * Makes the responses of refused requests, for what an aspect refused.
   *
   * @return the maker that follows the settings
   */
  public RefusalFactory refusals() {
    return services.options().refusals();
  }

  @Override
  public void refresh() {
    services.refresh();
  }

  @Override
  public void close() {
    isOpen = false;
    WeirRegistry.remove(this);
    services.close();
  }
}
