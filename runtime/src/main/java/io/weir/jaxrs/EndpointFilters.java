package io.weir.jaxrs;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.RequestValues;
import io.weir.internal.container.JaxrsImplementation;
import io.weir.spi.DecisionPhase;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.FeatureContext;
import java.util.Optional;

/**
 * The filters of one limited resource method. They don't use injection, since not every
 * implementation injects into filters that are bound to a single method.
 *
 * <p>Immutable.
 *
 * @param onlyCredentials whether a request that carries no credential is free
 */
record EndpointFilters(
    JaxrsApplication application,
    LimitedEndpoint endpoint,
    ResourceTemplate template,
    boolean onlyCredentials) {
  static final int BEFORE = Priorities.AUTHENTICATION - 100;
  static final int AFTER = Priorities.AUTHENTICATION + 500;

  /** Registers only the filters that are needed: Jersey inspects each, and may have thousands. */
  void register(FeatureContext context) {
    if (endpoint.decides(DecisionPhase.BEFORE_AUTHENTICATION)) {
      context.register(new Before(this), BEFORE);
    }
    if (endpoint.decides(DecisionPhase.AFTER_AUTHENTICATION)) {
      context.register(new After(this), AFTER);
    }
  }

  /**
   * Notes the position of other filters, if the request will pass one for the second phase.
   *
   * @param chain all request filters after matching, in their order
   */
  static void noteOtherFilters(Iterable<ContainerRequestFilter> chain) {
    for (ContainerRequestFilter each : chain) {
      if (each instanceof After after) {
        after.others = ForeignFilterPosition.in(chain, Before.class, After.class);
        return;
      }
    }
  }

  /** Notes in the application whether only Weir's filters run before matching. */
  static void noteFiltersBeforeMatching(
      JaxrsApplication application, JaxrsImplementation jaxrs, ContainerRequestContext context) {
    jaxrs
        .filtersBeforeMatching(context)
        .filter(all -> all.stream().noneMatch(ForeignFilterPosition::isForeign))
        .ifPresent(any -> application.noFiltersBeforeMatching());
  }

  /** Decides a phase within a request filter, which it aborts if the request is refused. */
  void decide(ContainerRequestContext context, DecisionPhase phase, ForeignFilterPosition others) {
    Optional<RequestScope> scope =
        onlyCredentials && !mayCarryCredential(context)
            ? Optional.empty()
            : RequestScope.of(context);
    if (scope.isPresent()) { // without a lambda, which each request would make
      decide(scope.get(), context, phase, others);
    }
  }

  private static boolean mayCarryCredential(ContainerRequestContext context) {
    return RequestValues.mayCarryCredential(
        context.getHeaders().keySet(), context.getUriInfo().getRequestUri().getRawQuery());
  }

  private void decide(
      RequestScope scope,
      ContainerRequestContext context,
      DecisionPhase phase,
      ForeignFilterPosition others) {
    Adapter adapter = application.adapter();
    if (endpoint.needsAddress() || adapter.hasPolicySource() || adapter.hasAccessList()) {
      application.checkPeer(scope.request());
    }
    Optional<JaxrsImplementation> implementation = application.implementation();
    if (implementation.isPresent() && implementation.get().isOnEventLoop(context)) {
      scope.decideAsync(phase, endpoint, template, others, implementation.get());
    } else {
      scope.decide(phase, endpoint, template, others);
    }
  }

  // One class per filter, since JAX-RS registers a class only once. Not records: their hashCode is
  // generated at run time, and Jersey calls it for each.

  private static final class Before implements ContainerRequestFilter {
    private final EndpointFilters filters;

    Before(EndpointFilters filters) {
      this.filters = filters;
    }

    @Override
    public void filter(ContainerRequestContext context) {
      filters.decide(context, DecisionPhase.BEFORE_AUTHENTICATION, ForeignFilterPosition.NONE);
    }
  }

  private static final class After implements ContainerRequestFilter {
    private final EndpointFilters filters;

    /** Has one value for all requests of the method, so races do no harm. */
    private volatile ForeignFilterPosition others = ForeignFilterPosition.BETWEEN;

    /** Whether the implementation was asked for other filters; Jersey reports them by itself. */
    private volatile boolean asked;

    After(EndpointFilters filters) {
      this.filters = filters;
    }

    @Override
    public void filter(ContainerRequestContext context) {
      if (!asked) {
        filters.application.implementation().ifPresent(each -> askForOthers(each, context));
        asked = true;
      }
      filters.decide(
          context, DecisionPhase.AFTER_AUTHENTICATION, filters.application.withEarlier(others));
    }

    private void askForOthers(JaxrsImplementation jaxrs, ContainerRequestContext context) {
      jaxrs.requestFilters(context).ifPresent(EndpointFilters::noteOtherFilters);
      noteFiltersBeforeMatching(filters.application, jaxrs, context);
    }
  }
}
