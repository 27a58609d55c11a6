package io.weir.internal.guard;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.PermitRequest;
import io.weir.internal.extension.CallFailures;
import io.weir.internal.guard.AskedPermits.Asked;
import io.weir.internal.guard.NextDecision.Undecided;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Finds out what the next request would get, while nothing else runs: on the way that earlier
 * requests of its endpoint took through this node, or as a check of a request that is served
 * elsewhere. Takes no permits. Says of what it can't know that it isn't decided.
 *
 * <p>Safe for concurrent use.
 */
public final class NextDecisionReader {
  private static final String POLICY = "policy:";

  private final RequestServices services;
  private final NamedEndpointLookup endpoints;
  private final BooleanSupplier limitsEndpoints;
  private final Deadline deadline;

  /** Calls what may run code of the application, for a limited time. */
  @FunctionalInterface
  public interface Deadline {
    /** Calls it in another thread; empty if it is late. */
    <T> Optional<T> call(Supplier<T> call);
  }

  /**
   * Reads the decisions of one application.
   *
   * @param endpoints finds the endpoints of requests that are served elsewhere
   * @param limitsEndpoints whether adapters have bound policies to endpoints that they serve
   * @param deadline ends the wait for code of the application
   */
  public NextDecisionReader(
      RequestServices services,
      NamedEndpointLookup endpoints,
      BooleanSupplier limitsEndpoints,
      Deadline deadline) {
    this.services = services;
    this.endpoints = endpoints;
    this.limitsEndpoints = limitsEndpoints;
    this.deadline = deadline;
  }

  /**
   * Reads the decision that the next request would get.
   *
   * @param request the request; values that it doesn't have aren't known
   * @param isGiven whether an expression, such as {@code header:x-api-key}, is known to be missing
   *     from the request if it has no value
   * @throws io.weir.InvalidRequestException if a policy can't count the request
   */
  public NextDecision read(RequestInfo request, Predicate<String> isGiven) {
    if (!services.isEnabled()) {
      return new NextDecision(new CheckResult(Optional.empty(), false), List.of(), true);
    }
    List<Route> routes = routes(request);
    if (!routes.isEmpty()) {
      List<NextDecision> all = new ArrayList<>();
      for (Route each : routes) {
        all.add(
            decide(request, true, () -> collect(request, each, isGiven)).onRoute(each.isWhole()));
      }
      return NextDecision.together(all);
    }
    Optional<String> unknown = unknown(request.endpoint());
    if (unknown.isEmpty()) {
      return decide(request, false, () -> collect(request, isGiven));
    }
    NextDecision denied = decide(request, true, () -> collectAccess(request, isGiven));
    return denied.known().admitted() ? NextDecision.unknown(unknown.get()) : denied;
  }

  /** Asks the access list alone, which denies requests of all endpoints. */
  private AskedPermits collectAccess(RequestInfo request, Predicate<String> isGiven) {
    AskedHistory history = new AskedHistory(services);
    AskedRequest asked = new AskedRequest(request, Optional.empty(), isGiven, false, true);
    boolean unused = AccessGate.overrides(services, asked, history, null);
    return new AskedPermits(history);
  }

  private List<Route> routes(RequestInfo request) {
    SeenRoutes seen = services.seenRoutes();
    return seen == null ? List.of() : seen.find(request.endpoint(), request.method());
  }

  /**
   * Returns why nothing is known of an endpoint that no request has met; empty if that is wrong.
   */
  private Optional<String> unknown(String endpoint) {
    if (endpoint.startsWith(POLICY)) {
      return endpoints.named(endpoint).hasPolicies()
          ? Optional.empty()
          : Optional.of("this node has no such policy");
    }
    SeenRoutes seen = services.seenRoutes();
    return limitsEndpoints.getAsBoolean() && (seen == null || !seen.isChecked(endpoint))
        ? Optional.of(
            "no request with this method and path, or template, has been seen here since the"
                + " start, so the policies of the code that answers it aren't known")
        : Optional.empty();
  }

  private NextDecision decide(
      RequestInfo request, boolean isServedHere, Supplier<AskedPermits> reading) {
    Optional<AskedPermits> asked = deadline.call(reading);
    return asked.isPresent()
        ? decide(asked.get(), request, isServedHere)
        : NextDecision.unknown(
            "the application's resolvers, or its database, don't answer in time");
  }

  private NextDecision decide(AskedPermits permits, RequestInfo request, boolean isServedHere) {
    List<Undecided> undecided = new ArrayList<>(permits.unread());
    List<Decision> parts = new ArrayList<>(permits.history().takeRefusals());
    for (Asked each : permits.all()) {
      PermitRequest wanted = each.request();
      if (each.reasons().isEmpty()) {
        parts.add(
            services
                .limiter()
                .peek(
                    request.load().isPresent()
                        ? wanted.withLoad(request.load().getAsDouble())
                        : wanted));
      } else {
        undecided.add(
            new Undecided(
                wanted.policy().name(),
                String.join("; ", each.reasons()),
                !wanted.policy().shadow()));
      }
    }
    DecisionHistory history = permits.history();
    return new NextDecision(
        history.result(history.decided(parts)),
        undecided,
        isServedHere,
        history.access().decisive());
  }

  /** Collects the permits that a request asks for on its way through this node. */
  private AskedPermits collect(RequestInfo request, Route route, Predicate<String> isGiven) {
    AskedHistory history = new AskedHistory(services);
    AskedPermits all = new AskedPermits(history);
    RouteStep before = route.steps().get(0);
    for (RouteStep each : route.steps()) {
      if (!each.isCall() && !each.isWhere(before)) {
        history.movesOn();
        before = each;
      }
      AskedPermits step = collect(request, route, each, isGiven, history);
      step.all().forEach(asked -> history.charge(asked.request()));
      step.all().forEach(asked -> all.add(asked.request(), asked.reasons()));
      step.unread().forEach(all::addUnread);
      if (history.access().denies() || history.access().bans()) {
        return all;
      }
    }
    return all;
  }

  private AskedPermits collect(
      RequestInfo request,
      Route route,
      RouteStep step,
      Predicate<String> isGiven,
      AskedHistory history) {
    boolean mayHideUser = AskedRequest.mayHideUser(step, request);
    AskedPermits found = collect(request, route, step, isGiven, history, !mayHideUser);
    if (!mayHideUser || found.isEmpty()) {
      return found;
    }
    AskedPermits visible = collect(request, route, step, isGiven, history, true);
    if (requests(found).equals(requests(visible))) {
      return found;
    }
    AskedPermits both = new AskedPermits(history);
    Set<String> reason = Set.of("it depends on whether the user is known before the sign-in");
    visible.all().forEach(each -> both.add(each.request(), reason));
    found.all().forEach(each -> both.add(each.request(), reason));
    found.unread().forEach(both::addUnread);
    return both;
  }

  private static Set<PermitRequest> requests(AskedPermits permits) {
    Set<PermitRequest> requests = new HashSet<>();
    permits.all().forEach(each -> requests.add(each.request()));
    return requests;
  }

  private AskedPermits collect(
      RequestInfo request,
      Route route,
      RouteStep step,
      Predicate<String> isGiven,
      AskedHistory history,
      boolean showsUser) {
    AskedRequest asked =
        new AskedRequest(request, Optional.of(step), isGiven, route.hasIssuer(), showsUser);
    Set<String> ofCall =
        step.isCall() ? Set.of("the code decides whether it calls " + step.endpoint()) : Set.of();
    CallFailures failures = new CallFailures();
    return failures.collect(
        () ->
            AskedPhaseBuilder.begin(
                    (EndpointGuard) step.guard(), asked, history, step.phase(), failures)
                .and(step.phase())
                .found(ofCall));
  }

  /** Collects the permits that a request asks for when it is checked, in all of its readings. */
  private AskedPermits collect(RequestInfo request, Predicate<String> isGiven) {
    AskedPermits all = reading(request, isGiven);
    for (RequestInfo each : request.otherReadings()) {
      all.addAll(reading(each, isGiven));
    }
    return all;
  }

  private AskedPermits reading(RequestInfo reading, Predicate<String> isGiven) {
    AskedHistory history = new AskedHistory(services);
    AskedRequest asked = new AskedRequest(reading, Optional.empty(), isGiven, false, true);
    CallFailures failures = new CallFailures();
    return failures.collect(
        () -> {
          AskedPhaseBuilder both =
              AskedPhaseBuilder.begin(
                  endpoints.named(reading.endpoint()), asked, history, null, failures);
          for (DecisionPhase phase : DecisionPhase.values()) {
            both.and(phase);
          }
          AskedPermits found = both.found(Set.of());
          return found.isEmpty() && !history.access().overrides()
              ? AskedPhaseBuilder.begin(endpoints.byDefault(), asked, history, null, failures)
                  .andBound()
                  .found(Set.of())
              : found;
        });
  }
}
