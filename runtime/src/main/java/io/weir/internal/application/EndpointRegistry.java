package io.weir.internal.application;

import io.weir.Policy;
import io.weir.RequestChecker;
import io.weir.adapter.EndpointType;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedPolicy;
import io.weir.internal.guard.NamedEndpointLookup;
import io.weir.internal.guard.PolicyUsage;
import io.weir.internal.guard.RequestReaderFactory;
import io.weir.internal.guard.RequestServices;
import io.weir.internal.policy.LivePolicy;
import io.weir.internal.policy.PolicyCatalog;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Keeps one {@link GuardedEndpoint} for each list of policies that endpoints of the application
 * have.
 *
 * <p>Safe for concurrent use.
 */
final class EndpointRegistry implements NamedEndpointLookup {
  /** The prefix of a checked request's endpoint that is the name of a policy. */
  private static final String NAMED = "policy:";

  private final PolicyCatalog catalog;
  private final RequestReaderFactory readers;
  private final RequestServices requests;
  private final GuardedEndpoint unlimited;
  private final Map<LivePolicy, GuardedPolicy> policies = new ConcurrentHashMap<>();
  private final Map<List<LivePolicy>, GuardedEndpoint> endpoints = new ConcurrentHashMap<>();

  /** Of policies whose exceptions name the path. */
  private final Map<List<LivePolicy>, GuardedEndpoint> leavingOut = new ConcurrentHashMap<>();

  private final UnmatchedPolicyWarning unmatched;

  EndpointRegistry(PolicyCatalog catalog, RequestReaderFactory readers, RequestServices requests) {
    this.catalog = catalog;
    this.readers = readers;
    this.requests = requests;
    this.unlimited = new GuardedEndpoint(requests, List.of());
    this.unmatched = new UnmatchedPolicyWarning(catalog, policies);
  }

  /** See {@link WeirRuntime#endpoint(Class, Method, EndpointType)}. */
  GuardedEndpoint endpoint(Class<?> type, Method method, EndpointType site) {
    return endpoint(catalog.of(type, method, site));
  }

  /** See {@link WeirRuntime#endpoint(Class, EndpointType)}. */
  GuardedEndpoint endpoint(Class<?> type, EndpointType site) {
    return endpoint(catalog.of(type, site));
  }

  /**
   * Does as {@link WeirRuntime#endpointAtRequest} for a method whose parameters policies can read.
   */
  GuardedEndpoint endpointAtRequest(
      Class<?> type,
      Optional<Method> method,
      EndpointType site,
      Function<Policy, List<String>> misfits) {
    return endpoint(catalog.atRequest(type, method, site, misfits));
  }

  /** See {@link WeirRuntime#endpoint(String, boolean, boolean)}. */
  GuardedEndpoint endpoint(String path, boolean ignoresSlash, boolean ignoresCase) {
    GuardedEndpoint counting = endpoint(catalog.byPath(path, ignoresSlash, ignoresCase));
    List<LivePolicy> leaving = catalog.leavingOut(path, ignoresSlash, ignoresCase);
    return leaving.isEmpty()
        ? counting
        : counting.and(leavingOut.computeIfAbsent(leaving, this::joinLeavingOut));
  }

  private GuardedEndpoint joinLeavingOut(List<LivePolicy> bound) {
    return new GuardedEndpoint(
        requests, bound.stream().map(each -> policy(each).leavingPathOut()).toList());
  }

  GuardedEndpoint unlimited() {
    return unlimited;
  }

  /** Returns the endpoint with the policy of the whole application, if there is one. */
  GuardedEndpoint ofApplication() {
    return endpoint(catalog.ofApplication());
  }

  @Override
  public GuardedEndpoint named(String name) {
    if (name.startsWith(NAMED)) {
      return endpoint(catalog.named(name.substring(NAMED.length())).stream().toList());
    }
    return endpoint(name, false, false).and(ofApplication());
  }

  @Override
  public GuardedEndpoint byDefault() {
    return endpointAtRequest(
        RequestChecker.class, Optional.empty(), EndpointType.SERVLET, policy -> List.of());
  }

  private GuardedEndpoint endpoint(List<LivePolicy> bound) {
    GuardedEndpoint known = endpoints.get(bound);
    return known != null ? known : endpoints.computeIfAbsent(bound, this::join);
  }

  private GuardedEndpoint join(List<LivePolicy> bound) {
    List<GuardedPolicy> guarded = new ArrayList<>(bound.size());
    for (LivePolicy each : bound) {
      guarded.add(policy(each));
    }
    return new GuardedEndpoint(requests, List.copyOf(guarded));
  }

  /** Returns the policy as endpoints share it. */
  GuardedPolicy policy(LivePolicy bound) {
    return policies.computeIfAbsent(bound, this::guarded);
  }

  private GuardedPolicy guarded(LivePolicy bound) {
    return new GuardedPolicy(
        bound, readers.of(bound.current()), new PolicyUsage(bound.name()), false);
  }

  void checkUnmatched() {
    unmatched.check();
  }

  void checkUnmatchedAtEnd() {
    unmatched.checkAtEnd();
  }

  void forget(ClassLoader application) {
    Collection<LivePolicy> gone = catalog.forget(application);
    endpoints.keySet().removeIf(each -> !Collections.disjoint(each, gone));
    leavingOut.keySet().removeIf(each -> !Collections.disjoint(each, gone));
    policies.keySet().removeAll(gone);
    unmatched.forget(gone);
    requests.forgetCalls(); // last: what is looked up from now on is new
  }
}
