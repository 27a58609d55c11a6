package io.weir.guard;

import io.weir.RateLimiter;
import io.weir.http.RateLimitFields;
import io.weir.http.Refusals;
import io.weir.key.PeerAddress;
import io.weir.load.InFlight;
import io.weir.policy.BoundPolicy;
import io.weir.policy.PolicyCatalog;
import io.weir.policy.Site;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rate limiting of one application: its limiter, its policies, who is calling, and what goes
 * over the wire. All adapters of an application share one.
 *
 * <p>A filter in web.xml, a feature without arguments and an aspect use the {@linkplain
 * #application() application's}, made from settings and what {@link java.util.ServiceLoader} finds.
 * An application that wants to give its own parts builds one and hands it to the adapter:
 *
 * <pre>{@code
 * Weir weir = Weir.builder().tierResolver(new Plans()).build();
 * resourceConfig.register(new RateLimitFeature(weir));
 * }</pre>
 *
 * <p>Safe for concurrent use.
 */
public final class Weir implements AutoCloseable {
  private final WeirParts parts;
  private final PolicyCatalog catalog;
  private final InFlight inFlight;
  private final String store;
  private final WeakReference<ClassLoader> home;
  private final Map<List<BoundPolicy>, EndpointGuard> guards = new ConcurrentHashMap<>();
  private final EndpointGuard unguarded = new EndpointGuard(this, List.of());

  Weir(WeirParts parts, PolicyCatalog catalog, InFlight inFlight, String store, ClassLoader home) {
    this.parts = parts;
    this.catalog = catalog;
    this.inFlight = inFlight;
    this.store = store;
    this.home = new WeakReference<>(home);
  }

  /**
   * Starts a Weir of own parts; what isn't given comes from settings and {@code ServiceLoader}.
   *
   * @return a builder
   */
  public static WeirBuilder builder() {
    return new WeirBuilder();
  }

  /**
   * The one of this application, found by the context class loader; made if there is none.
   *
   * @return an open Weir, closed with the application
   */
  public static Weir application() {
    return application(Map.of());
  }

  /**
   * The one of this application; made if there is none.
   *
   * @param onTop settings that go before all others if it has to be made; else one warning names
   *     those that aren't in force
   * @return an open Weir, closed with the application
   */
  public static Weir application(Map<String, String> onTop) {
    return Applications.get(onTop);
  }

  /**
   * The one of the application that a class belongs to, for code that may run in threads of nobody:
   * found by the context class loader, else by the class's own; made for that if there is none.
   *
   * @param member a class of the application
   * @return an open Weir, closed with the application; nothing once the application has {@linkplain
   *     ApplicationUse ended} or its Weir was closed, since nobody would close another one
   */
  public static Optional<Weir> application(Class<?> member) {
    return Applications.get(member);
  }

  /**
   * Makes this the application's, so that aspects and filters find it; without effect if the
   * application has an open one.
   *
   * @return this
   */
  public Weir install() {
    Applications.install(this);
    return this;
  }

  /**
   * Warns of settings that somebody gives too late: this Weir has been made without them.
   *
   * @param settings by their full names; those that are in force with the same value are fine
   */
  public void warnUnlessInForce(Map<String, String> settings) {
    parts.warnUnlessInForce(settings);
  }

  /**
   * Decides by hand.
   *
   * @return the limiter that all adapters of the application use
   */
  public RateLimiter limiter() {
    return parts.limiter();
  }

  /**
   * Reads and validates the annotations of classes before the first request.
   *
   * @param types the classes of endpoints
   * @param site what kind of endpoints they are
   * @throws io.weir.policy.InvalidPolicyException if there are mistakes, all of them in one message
   */
  public void check(Collection<Class<?>> types, Site site) {
    catalog.check(types, site);
  }

  /**
   * Guards a method by its annotations or those of its class.
   *
   * @param type the class that serves
   * @param method the method that answers
   * @param site what kind of endpoint it is
   * @return the same guard whenever it is asked; empty if nothing limits the method
   * @throws io.weir.policy.InvalidPolicyException if there are mistakes
   */
  public EndpointGuard guard(Class<?> type, Method method, Site site) {
    return guard(catalog.of(type, method, site));
  }

  /**
   * Guards a class that answers by no method of its own.
   *
   * @param type the class that serves
   * @param site what kind of endpoint it is
   * @return a guard by the class's annotations
   * @throws io.weir.policy.InvalidPolicyException if there are mistakes
   */
  public EndpointGuard guard(Class<?> type, Site site) {
    return guard(catalog.of(type, site));
  }

  /**
   * Guards a path by the policies that the settings give a URL pattern.
   *
   * @param path the decoded path within the application, as the container matched it
   * @return a guard by all patterns that match
   */
  public EndpointGuard guard(String path) {
    return guard(catalog.byPath(path));
  }

  /**
   * Guards a path, which is found out only if the settings give any URL pattern a policy.
   *
   * @param path finds the decoded path within the application, as the container matched it
   * @return a guard by all patterns that match
   */
  public EndpointGuard guard(Supplier<String> path) {
    return catalog.limitsPaths() ? guard(catalog.byPath(path.get())) : unguarded;
  }

  private EndpointGuard guard(List<BoundPolicy> policies) {
    EndpointGuard known = guards.get(policies);
    return known != null ? known : guards.computeIfAbsent(policies, this::guardBy);
  }

  private EndpointGuard guardBy(List<BoundPolicy> policies) {
    List<GuardedPolicy> guarded = new ArrayList<>(policies.size());
    for (BoundPolicy each : policies) {
      guarded.add(parts.guarded(each));
    }
    return new EndpointGuard(this, List.copyOf(guarded));
  }

  /**
   * What applies where, for people: a line for each endpoint and policy.
   *
   * @return a table of several lines
   */
  public String table() {
    return catalog.table();
  }

  /**
   * Where buckets live, for people.
   *
   * @return the address that {@code weir.store} says, without user and password, or the class of
   *     the store that was given
   */
  public String store() {
    return store;
  }

  /**
   * Finds the peer's address where an adapter can't.
   *
   * @return what was given or found; where that fails, it finds nothing
   */
  public Optional<PeerAddress> peerAddress() {
    return parts.peerAddress();
  }

  /**
   * Counts the requests in flight, for the load of the node.
   *
   * @return the counter that adapters turn
   */
  public InFlight inFlight() {
    return inFlight;
  }

  /**
   * The class loader of the application that made this Weir, for adapters that look for its
   * classes.
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
      guards.keySet().removeIf(each -> !Collections.disjoint(each, gone));
      parts.forget(gone);
    }
  }

  boolean enabled() {
    return parts.setup().enabled();
  }

  Tiers tiers() {
    return parts.tiers();
  }

  RateLimitFields fields() {
    return parts.setup().fields();
  }

  /**
   * Makes the responses of refused requests, for what an aspect refused.
   *
   * @return the maker that follows the settings
   */
  public Refusals refusals() {
    return parts.setup().refusals();
  }

  /**
   * Reads the settings again now, instead of within the next seconds. A malformed change is refused
   * as a whole and logged.
   */
  public void refresh() {
    parts.refresh();
  }

  /** Closes the limiter and stops following the settings. Idempotent. */
  @Override
  public void close() {
    Applications.remove(this);
    parts.close();
  }
}
