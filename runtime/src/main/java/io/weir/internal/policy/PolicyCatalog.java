package io.weir.internal.policy;

import io.weir.EndpointPolicy;
import io.weir.InvalidPolicyException;
import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.RequestChecker;
import io.weir.adapter.EndpointType;
import io.weir.internal.key.ReadablePlaces;
import io.weir.internal.policy.draft.ApplicationCapabilities;
import io.weir.internal.policy.draft.ClassHierarchy;
import io.weir.internal.policy.draft.EndpointAnnotations;
import io.weir.internal.policy.draft.EndpointCapabilities;
import io.weir.internal.policy.draft.LimitedElement;
import io.weir.internal.region.RegionShares;
import io.weir.internal.settings.LiveSettings;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.store.PermitStore;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Holds all policies of an application, validated: those of annotations and those of settings.
 *
 * <p>A method's annotations are its own; else those of the method that it overrides in a
 * superclass, the nearest first; else those of the method that it implements in an interface; else
 * those of the class that serves, of its superclasses, of its interfaces; else {@code
 * weir.default.*} applies. The search ends at the first {@code @Unlimited}. A policy is named after
 * the method or class that carries its annotation, so all that inherit the annotation share its
 * buckets. Each endpoint limited by {@code weir.default.*} has a policy of its own, {@code
 * default.Search.search-5d41402a}: its name ends in a hash of the class's full name and the
 * method's parameters, so it is the same on every node. The policy of {@code weir.application.*}
 * applies in addition to those of all endpoints that {@code @Unlimited} doesn't exempt.
 *
 * <p>Safe for concurrent use.
 */
public final class PolicyCatalog {
  private final Object lock = new Object();
  private final PolicyWarningLog warnings;
  private final UrlPolicies urls = new UrlPolicies();
  private final EndpointPolicyBindings endpoints;
  private final ApplicationCapabilities capabilities;

  /**
   * Starts an empty catalog that follows the settings, for a store that counts by all algorithms.
   *
   * @throws IllegalArgumentException if the settings hold an unusable policy
   */
  public PolicyCatalog(LiveSettings settings, Set<String> resolverNames) {
    this(settings, ApplicationCapabilities.of(resolverNames));
  }

  /**
   * Starts an empty catalog that follows the settings.
   *
   * @param store the store that must count their buckets
   * @param storeName the store's name in messages
   * @param shares the part of each limit that this region counts
   * @throws IllegalArgumentException if the settings hold an unusable policy
   */
  public PolicyCatalog(
      LiveSettings settings,
      RegisteredExtensions named,
      PermitStore store,
      String storeName,
      RegionShares shares) {
    this(settings, named.with(store, storeName, shares), named.conditionsOfUsers());
  }

  PolicyCatalog(LiveSettings settings, ApplicationCapabilities capabilities) {
    this(settings, capabilities, Set.of());
  }

  private PolicyCatalog(
      LiveSettings settings, ApplicationCapabilities capabilities, Set<String> conditionsOfUsers) {
    this.warnings = new PolicyWarningLog(conditionsOfUsers);
    this.capabilities = capabilities;
    this.endpoints = new EndpointPolicyBindings(capabilities, warnings);
    settings.follow(this::prepare);
  }

  /**
   * Returns whether a method has an annotation of Weir, for a limit or an exemption: its own, a
   * composed one, or one of a method that it overrides or implements.
   */
  public static boolean isAnnotated(Method method) {
    return isAnnotated(method.getDeclaringClass(), method);
  }

  /**
   * Does the same for a method as a class runs it.
   *
   * @param method any of the method's declarations
   */
  public static boolean isAnnotated(Class<?> type, Method method) {
    return LimitedElement.method(new ClassHierarchy(type), method).isPresent();
  }

  /**
   * Returns a method's declarations in a class and its ancestors.
   *
   * @param method any of the declarations, or a bridge to one
   * @return the one that runs, then those that it overrides or implements
   */
  public static List<Method> declarations(Class<?> type, Method method) {
    return new ClassHierarchy(type).declarations(method);
  }

  /**
   * Returns the policies of a method: its own, inherited ones, its class's or the default.
   *
   * @return all that must admit; the same objects each time
   * @throws InvalidPolicyException if there are mistakes
   */
  public List<LivePolicy> of(Class<?> type, Method method, EndpointType site) {
    return of(new JavaEndpoint(type, Optional.of(method), site));
  }

  /**
   * Returns the policies of a class that answers requests without an annotated method.
   *
   * @return all that must admit; the same objects each time
   * @throws InvalidPolicyException if there are mistakes
   */
  public List<LivePolicy> of(Class<?> type, EndpointType site) {
    return of(new JavaEndpoint(type, Optional.empty(), site));
  }

  /**
   * Returns the policies of an endpoint that is first needed by a request. Settings that don't suit
   * it were accepted before it was known, so they don't fail the request: they are ignored and
   * logged, and its policies apply as annotated until the settings are corrected.
   *
   * @param method the method that answers; empty for the class as a whole
   * @param misfits finds the mistakes of a policy in regard to the method's parameters
   * @return all that must admit; the same objects each time
   * @throws InvalidPolicyException if there are mistakes in annotations
   */
  public List<LivePolicy> atRequest(
      Class<?> type,
      Optional<Method> method,
      EndpointType site,
      Function<Policy, List<String>> misfits) {
    return of(new JavaEndpoint(type, method, site), () -> BindingMistakes.atRequest(misfits));
  }

  private List<LivePolicy> of(JavaEndpoint endpoint) {
    return of(endpoint, BindingMistakes::atStart);
  }

  private List<LivePolicy> of(JavaEndpoint endpoint, Supplier<BindingMistakes> collector) {
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
   * Returns the policies of requests whose class can't be read, such as those for a page: that of
   * {@code weir.application.*}, if there is one.
   */
  public List<LivePolicy> ofApplication() {
    return endpoints.ofApplication();
  }

  /**
   * Reads a class. It may work although some of its methods mention missing classes, so that is
   * only warned of.
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
   * Returns the policies that the settings give to a path ({@code weir.policy.<name>.url}).
   *
   * @param path the decoded path within the application, beginning with {@code /}
   * @return those of all patterns that match; those of {@code /} if no other does
   */
  public List<LivePolicy> byPath(String path) {
    return byPath(path, false, false);
  }

  /**
   * Returns the policies that the settings give to a path, whose target may ignore a slash at the
   * end, or the case.
   *
   * @param ignoresSlash whether to match the path with and without one slash at its end
   */
  public List<LivePolicy> byPath(String path, boolean ignoresSlash, boolean ignoresCase) {
    return urls.of(path, ignoresSlash, ignoresCase);
  }

  /**
   * Returns the policies that the settings give to a path but for their exceptions, which may hold
   * for some requests only. The parameters are those of {@link #byPath(String, boolean, boolean)}.
   */
  public List<LivePolicy> leavingOut(String path, boolean ignoresSlash, boolean ignoresCase) {
    return urls.leavingOut(path, ignoresSlash, ignoresCase);
  }

  /**
   * Returns whether the settings give policies to any paths, or leave out any; follows the
   * settings.
   */
  public boolean limitsPaths() {
    return !urls.isEmpty() || endpoints.exceptsPaths();
  }

  /** Returns all policies that settings give to paths now. */
  public Collection<LivePolicy> ofPaths() {
    return urls.all();
  }

  /** Returns all policies of the endpoints that were read so far. */
  public Collection<LivePolicy> ofEndpoints() {
    synchronized (lock) {
      return endpoints.policies();
    }
  }

  /**
   * Returns whether any endpoint that an adapter serves has policies beside that of the whole
   * application; excludes the one that stands for requests that are served elsewhere.
   */
  public boolean limitsEndpoints() {
    return endpoints.limitsAnyBeside(RequestChecker.class);
  }

  public boolean hasRead(Class<?> type) {
    return endpoints.hasRead(type);
  }

  /** Returns the policy of a name; empty if there is none, or its endpoint wasn't read yet. */
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
   * Removes the endpoints of an application's classes, and the policies that no other endpoint has.
   *
   * @param application the loader of the classes; includes those of loaders below it
   */
  public Collection<LivePolicy> forget(ClassLoader application) {
    synchronized (lock) {
      return endpoints.forget(application);
    }
  }

  /**
   * Reads and validates all endpoints of some classes.
   *
   * @throws InvalidPolicyException if there are mistakes, all of them in one message
   */
  public void check(Collection<Class<?>> types, EndpointType site) {
    check(types, site, found -> {});
  }

  /**
   * Does the same, and passes on the policies, perhaps some of them several times.
   *
   * @param found takes them one by one
   */
  public void check(Collection<Class<?>> types, EndpointType site, Consumer<LivePolicy> found) {
    check(types, site, endpoint -> Optional.empty(), found);
  }

  /**
   * Does the same for classes whose methods a weaver has to limit.
   *
   * @throws InvalidPolicyException if there are mistakes, or methods that aren't woven
   */
  public void checkWoven(Collection<Class<?>> types) {
    check(types, EndpointType.METHOD, WeavingCheck::mistake, found -> {});
  }

  private void check(
      Collection<Class<?>> types,
      EndpointType site,
      Function<JavaEndpoint, Optional<String>> mistake,
      Consumer<LivePolicy> policies) {
    List<String> mistakes = new ArrayList<>();
    for (Class<?> type : types) {
      ClassHierarchy signatures = read(type);
      JavaEndpoint.annotated(
          type,
          signatures,
          site,
          (endpoint, annotations) -> {
            BindingMistakes found = BindingMistakes.atStart();
            List<LivePolicy> bound = bind(endpoint, annotations, found);
            bound.forEach(policies);
            mistakes.addAll(found.fatal());
            if (!bound.isEmpty()) {
              mistake.apply(endpoint).ifPresent(mistakes::add);
            }
          });
    }
    InvalidPolicyException.throwIfAny(mistakes);
  }

  private List<LivePolicy> bind(
      JavaEndpoint endpoint, EndpointAnnotations annotations, BindingMistakes mistakes) {
    synchronized (lock) {
      return endpoints.bind(endpoint, annotations, mistakes);
    }
  }

  private Runnable prepare(SettingsSnapshot next) {
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
      urls.all().forEach(each -> warnings.ofLateCondition(each.describe(), each));
      if (!endpoints.isEmpty()) {
        warnOfUnknown();
      }
    }
  }

  /**
   * Warns of settings for policies that don't exist, once each. Call it once all endpoints that are
   * known at start-up have been read.
   */
  public void warnOfUnknownPolicies() {
    synchronized (lock) {
      warnOfUnknown();
    }
  }

  private void warnOfUnknown() {
    warnings.ofUnknown(endpoints.settings(), endpoints.policies(), urls.all());
  }

  /**
   * Writes a table of all policies and the places where they apply, and warns of settings for
   * policies that don't exist. Call it once all endpoints that are known at start-up have been
   * read.
   */
  public String table() {
    PolicyTableWriter table = new PolicyTableWriter();
    synchronized (lock) {
      endpoints.addTo(table, urls);
      urls.all().forEach(each -> addTo(table, each));
      warnOfUnknown();
    }
    return table.text();
  }

  /** Lists all policies in force with the places where they apply, sorted by place and name. */
  public List<EndpointPolicy> endpointPolicies() {
    List<EndpointPolicy> all = new ArrayList<>();
    synchronized (lock) {
      endpoints.addTo(all);
      urls.all().forEach(each -> all.add(new EndpointPolicy(each.describe(), each.current())));
    }
    return all.stream()
        .distinct()
        .sorted(
            Comparator.comparing(EndpointPolicy::endpoint)
                .thenComparing(each -> each.policy().name()))
        .toList();
  }

  /**
   * Finds what the application lacks for a policy that neither annotations nor settings define.
   *
   * @param policy a policy whose members are consistent
   * @return extensions that aren't registered, and buckets that the store doesn't count
   */
  public List<PolicyMistake> mistakes(Policy policy) {
    return new EndpointCapabilities(capabilities, ReadablePlaces.OF_SOURCES, true).mistakes(policy);
  }

  private void addTo(PolicyTableWriter table, LivePolicy ofPath) {
    List<LivePolicy> together = new ArrayList<>(urls.covering(ofPath));
    together.addAll(endpoints.ofApplication());
    table.add(ofPath.describe(), ofPath, together, urls.except(ofPath).note());
    warnings.ofPriorities(ofPath.describe(), List.of(ofPath), together);
  }
}
