package io.weir.internal.policy;

import io.weir.InvalidPolicyException;
import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.internal.policy.draft.ApplicationCapabilities;
import io.weir.internal.policy.draft.ClassHierarchy;
import io.weir.internal.policy.draft.EndpointAnnotations;
import io.weir.internal.policy.draft.EndpointCapabilities;
import io.weir.internal.policy.draft.LimitedElement;
import io.weir.internal.settings.LiveSettings;
import io.weir.internal.settings.Settings;
import io.weir.store.PermitStore;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All policies of an application: what annotations and settings say, validated.
 *
 * <p>Which annotations hold for a method: the method's own; else those of the method it overrides
 * in a superclass, the nearest first; else those of the method it implements in an interface; else
 * those of the class that serves, of its superclasses, of its interfaces; else {@code
 * weir.default.*}. The first {@code @Unlimited} on the way ends the search. A policy is named after
 * the method or class that carries its annotation, so all that inherit it share its buckets. Each
 * endpoint limited by {@code weir.default.*} has a policy of its own, {@code
 * default.Search.search-5d41402a}: its name ends in a hash of the class's full name and the
 * method's parameters, so it is the same on every node. The policy of {@code weir.application.*}
 * holds beside those of all endpoints that {@code @Unlimited} doesn't exempt.
 *
 * <p>Safe for concurrent use.
 */
public final class PolicyCatalog {
  private final Object lock = new Object();
  private final PolicyWarningLog warnings = new PolicyWarningLog();
  private final UrlPolicies urls = new UrlPolicies();
  private final EndpointPolicies endpoints;
  private final ApplicationCapabilities capabilities;

  /**
   * Starts an empty catalog that follows the settings, for a store that counts by all algorithms.
   *
   * @param settings overrides, defaults and policies by URL
   * @param resolverNames the names of the registered {@code KeyResolver}s
   * @throws IllegalArgumentException if the settings hold an unusable policy
   */
  public PolicyCatalog(LiveSettings settings, Set<String> resolverNames) {
    this(settings, ApplicationCapabilities.of(resolverNames));
  }

  /**
   * Starts an empty catalog that follows the settings.
   *
   * @param settings overrides, defaults and policies by URL
   * @param named the parts that policies can name
   * @param store what must count their buckets
   * @param storeName how messages call the store
   * @throws IllegalArgumentException if the settings hold an unusable policy
   */
  public PolicyCatalog(
      LiveSettings settings, ExtensionNames named, PermitStore store, String storeName) {
    this(settings, named.with(store, storeName));
  }

  /**
   * Starts an empty catalog that follows the settings.
   *
   * @param settings overrides, defaults and policies by URL
   * @param capabilities what the application offers its policies
   */
  PolicyCatalog(LiveSettings settings, ApplicationCapabilities capabilities) {
    this.capabilities = capabilities;
    this.endpoints = new EndpointPolicies(capabilities, warnings);
    settings.follow(this::prepare);
  }

  /**
   * Whether a method has an annotation of Weir: its own, a composed one, or one of a method that it
   * overrides or implements.
   *
   * @param method the method
   * @return true for limits and for an exemption
   */
  public static boolean isAnnotated(Method method) {
    return LimitedElement.method(new ClassHierarchy(method.getDeclaringClass()), method)
        .isPresent();
  }

  /**
   * The policies of a method, its own, inherited, its class's or the default.
   *
   * @param type the class that serves
   * @param method the method that answers
   * @param site what kind of endpoint it is
   * @return all that must admit; the same objects whenever it is asked
   * @throws InvalidPolicyException if there are mistakes
   */
  public List<LivePolicy> of(Class<?> type, Method method, EndpointKind site) {
    return of(new Endpoint(type, Optional.of(method), site));
  }

  /**
   * The policies of a class that answers requests without an annotated method.
   *
   * @param type the class that serves
   * @param site what kind of endpoint it is
   * @return all that must admit; the same objects whenever it is asked
   * @throws InvalidPolicyException if there are mistakes
   */
  public List<LivePolicy> of(Class<?> type, EndpointKind site) {
    return of(new Endpoint(type, Optional.empty(), site));
  }

  /**
   * The policies of an endpoint that a request asks for first. Settings that don't suit it were
   * accepted before it was known, so they don't fail the request: they are ignored and logged, and
   * its policies hold as annotated until the settings are mended.
   *
   * @param type the class that serves
   * @param method the method that answers; nothing for the class as a whole
   * @param site what kind of endpoint it is
   * @param misfits says what is wrong with a policy for the parameters of the method
   * @return all that must admit; the same objects whenever it is asked
   * @throws InvalidPolicyException if there are mistakes in what is annotated
   */
  public List<LivePolicy> atRequest(
      Class<?> type,
      Optional<Method> method,
      EndpointKind site,
      Function<Policy, List<String>> misfits) {
    return of(new Endpoint(type, method, site), () -> BindingMistakes.atRequest(misfits));
  }

  private List<LivePolicy> of(Endpoint endpoint) {
    return of(endpoint, BindingMistakes::atStart);
  }

  private List<LivePolicy> of(Endpoint endpoint, Supplier<BindingMistakes> collector) {
    Optional<List<LivePolicy>> known = endpoints.find(endpoint);
    if (known.isPresent()) {
      return known.get();
    }
    BindingMistakes mistakes = collector.get();
    EndpointAnnotations annotations =
        EndpointAnnotations.of(read(endpoint.type()), endpoint.method());
    List<LivePolicy> bound = bind(endpoint, annotations, mistakes);
    InvalidPolicyException.throwIfAny(mistakes.fatal());
    return bound;
  }

  /**
   * The policies of what answers requests and has no class that could be read, such as a page.
   *
   * @return that of {@code weir.application.*}, if there is one
   */
  public List<LivePolicy> ofApplication() {
    return endpoints.ofApplication();
  }

  /**
   * A class may work although some of its methods mention classes that are missing: warn, don't
   * fail.
   */
  private ClassHierarchy read(Class<?> type) {
    ClassHierarchy signatures = new ClassHierarchy(type);
    signatures
        .missing()
        .ifPresent(
            missing -> {
              synchronized (lock) {
                warnings.ofUnreadable(type, missing);
              }
            });
    return signatures;
  }

  /**
   * The policies that the settings give a URL pattern ({@code weir.policy.<name>.url}).
   *
   * @param path the decoded path within the application, beginning with {@code /}
   * @return those of all patterns that match, {@code /} being the rest; follows the settings
   */
  public List<LivePolicy> byPath(String path) {
    return byPath(path, false);
  }

  /**
   * The same for a path that may go to something that takes a slash at the end for none.
   *
   * @param path the decoded path within the application, beginning with {@code /}
   * @param ignoresSlash whether the path is met with and without one slash at its end
   * @return see {@link #byPath(String)}
   */
  public List<LivePolicy> byPath(String path, boolean ignoresSlash) {
    return urls.of(path, ignoresSlash);
  }

  /**
   * Whether the settings give any URL pattern a policy.
   *
   * @return false if {@link #byPath} finds nothing for every path; follows the settings
   */
  public boolean limitsPaths() {
    return !urls.isEmpty();
  }

  /**
   * All policies that settings give URL patterns.
   *
   * @return those in force now
   */
  public Collection<LivePolicy> ofPaths() {
    return urls.all();
  }

  /**
   * All policies that stand at endpoints.
   *
   * @return those of the endpoints that were read so far
   */
  public Collection<LivePolicy> ofEndpoints() {
    synchronized (lock) {
      return endpoints.policies();
    }
  }

  /**
   * The policy of a name, whether it stands at an endpoint or in the settings.
   *
   * @param name the name
   * @return nothing if there is none, or its endpoint wasn't read so far
   */
  public Optional<LivePolicy> named(String name) {
    for (LivePolicy each : ofEndpoints()) {
      if (each.name().equals(name)) {
        return Optional.of(each);
      }
    }
    for (LivePolicy each : ofPaths()) {
      if (each.name().equals(name)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /**
   * Forgets the endpoints of an application's classes, and the policies that no other endpoint has.
   *
   * @param application the loader of the classes; those of loaders below it go too
   * @return the policies that are no more
   */
  public Collection<LivePolicy> forget(ClassLoader application) {
    synchronized (lock) {
      return endpoints.forget(application);
    }
  }

  /**
   * Reads and validates all endpoints of some classes.
   *
   * @param types the classes that serve
   * @param site what kind of endpoints they have
   * @throws InvalidPolicyException if there are mistakes, all of them in one message
   */
  public void check(Collection<Class<?>> types, EndpointKind site) {
    List<String> mistakes = new ArrayList<>();
    for (Class<?> type : types) {
      ClassHierarchy signatures = read(type);
      Endpoint.annotated(
          type,
          signatures,
          site,
          (endpoint, annotations) -> {
            BindingMistakes found = BindingMistakes.atStart();
            bind(endpoint, annotations, found);
            mistakes.addAll(found.fatal());
          });
    }
    InvalidPolicyException.throwIfAny(mistakes);
  }

  private List<LivePolicy> bind(
      Endpoint endpoint, EndpointAnnotations annotations, BindingMistakes mistakes) {
    synchronized (lock) {
      return endpoints.bind(endpoint, annotations, mistakes);
    }
  }

  /** Validates new settings against all policies; the result makes them take effect. */
  private Runnable prepare(Settings next) {
    synchronized (lock) {
      List<String> mistakes = new ArrayList<>();
      Runnable ofEndpoints = endpoints.prepare(next, mistakes);
      Runnable ofPaths = urls.prepare(next, endpoints.names(), capabilities, mistakes);
      InvalidPolicyException.throwIfAny(mistakes);
      return () -> commit(ofEndpoints, ofPaths);
    }
  }

  private void commit(Runnable ofEndpoints, Runnable ofPaths) {
    synchronized (lock) {
      ofEndpoints.run();
      ofPaths.run();
      warnings.ofInventedKeys(urls);
      if (!endpoints.isEmpty()) {
        warnOfUnknown();
      }
    }
  }

  private void warnOfUnknown() {
    warnings.ofUnknown(endpoints.settings(), endpoints.policies(), urls.all());
  }

  /**
   * What applies where, for people. Called once all endpoints that are known at start-up have been
   * read; it also warns of settings for policies that don't exist.
   *
   * @return a table of several lines
   */
  public String table() {
    PolicyTable table = new PolicyTable();
    synchronized (lock) {
      endpoints.addTo(table, urls);
      urls.all().forEach(each -> addTo(table, each));
      warnOfUnknown();
    }
    return table.text();
  }

  /**
   * What the application can't do for a policy that stands in no annotation and no setting.
   *
   * @param policy a policy whose members go together
   * @return parts that nobody has brought, and buckets that the store doesn't count
   */
  public List<PolicyMistake> mistakes(Policy policy) {
    return new EndpointCapabilities(capabilities, false, true).mistakes(policy);
  }

  private void addTo(PolicyTable table, LivePolicy ofPath) {
    List<LivePolicy> together = new ArrayList<>(urls.covering(ofPath));
    together.addAll(endpoints.ofApplication());
    table.add(ofPath.describe(), ofPath, together, "");
    warnings.ofPriorities(ofPath.describe(), List.of(ofPath), together);
  }
}
