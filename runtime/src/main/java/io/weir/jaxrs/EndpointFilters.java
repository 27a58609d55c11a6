package io.weir.jaxrs;

import io.weir.adapter.HeaderField;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.spi.DecisionPhase;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The filters of one limited resource method. They don't use injection, since not every
 * implementation injects into filters that are bound to a single method.
 *
 * <p>Immutable.
 *
 * @param application the application
 * @param endpoint the policies of the method
 * @param template the method and its path
 */
record EndpointFilters(
    JaxrsApplication application, GuardedEndpoint endpoint, ResourceTemplate template) {
  private static final int BEFORE = Priorities.AUTHENTICATION - 100;
  private static final int AFTER = Priorities.AUTHENTICATION + 500;
  private static final int COMPLETE = RequestScopeFilter.OUTERMOST + 1;

  private static final Map<Class<?>, Integer> BEFORE_AND_COMPLETE =
      Map.of(ContainerRequestFilter.class, BEFORE, ContainerResponseFilter.class, COMPLETE);
  private static final Map<Class<?>, Integer> AFTER_AND_COMPLETE =
      Map.of(ContainerRequestFilter.class, AFTER, ContainerResponseFilter.class, COMPLETE);
  private static final Map<Class<?>, Integer> ONLY_AFTER =
      Map.of(ContainerRequestFilter.class, AFTER);

  /** Registers only the filters that are needed: Jersey inspects each, and may have thousands. */
  void register(FeatureContext context) {
    boolean before = endpoint.decides(DecisionPhase.BEFORE_AUTHENTICATION);
    if (before) {
      context.register(new Before(this), BEFORE_AND_COMPLETE);
    }
    if (endpoint.decides(DecisionPhase.AFTER_AUTHENTICATION)) {
      context.register(new After(this), before ? ONLY_AFTER : AFTER_AND_COMPLETE);
    }
  }

  /**
   * Notes the position of other filters, if the request will pass one for the second phase.
   *
   * @param chain all request filters after matching, in their order
   */
  static void noteOtherFilters(Iterable<ContainerRequestFilter> chain) {
    ForeignFilterPosition others = ForeignFilterPosition.NONE;
    boolean between = false;
    for (ContainerRequestFilter each : chain) {
      if (each instanceof After after) {
        after.others = others;
        return;
      }
      between |= each instanceof Before;
      if (ForeignFilterPosition.isForeign(each)) {
        others = between ? ForeignFilterPosition.BETWEEN : ForeignFilterPosition.BEFORE_BOTH;
      }
    }
  }

  private void decide(
      ContainerRequestContext context, DecisionPhase phase, ForeignFilterPosition others) {
    RequestScope.of(context).ifPresent(scope -> decide(scope, phase, others));
  }

  private void decide(RequestScope scope, DecisionPhase phase, ForeignFilterPosition others) {
    if (endpoint.needsAddress() || application.weir().hasPolicySource()) {
      application.checkPeer(scope.request());
    }
    scope.decide(phase, endpoint, template, others);
  }

  // One class per filter, since JAX-RS registers a class only once. Not records: their hashCode is
  // generated at run time, and Jersey calls it for each.

  private static final class Before extends Completing implements ContainerRequestFilter {
    private final EndpointFilters filters;

    Before(EndpointFilters filters) {
      this.filters = filters;
    }

    @Override
    public void filter(ContainerRequestContext context) {
      filters.decide(context, DecisionPhase.BEFORE_AUTHENTICATION, ForeignFilterPosition.NONE);
    }
  }

  private static final class After extends Completing implements ContainerRequestFilter {
    private final EndpointFilters filters;

    /** Has one value for all requests of the method, so races do no harm. */
    private volatile ForeignFilterPosition others = ForeignFilterPosition.BETWEEN;

    After(EndpointFilters filters) {
      this.filters = filters;
    }

    @Override
    public void filter(ContainerRequestContext context) {
      ForeignFilterPosition ran = others;
      if (ran == ForeignFilterPosition.NONE && filters.application.hasFiltersBeforeMatching()) {
        ran = ForeignFilterPosition.BEFORE_BOTH;
      }
      filters.decide(context, DecisionPhase.AFTER_AUTHENTICATION, ran);
    }
  }

  /** Runs last, when no other filter changes the response any more. */
  private abstract static class Completing implements ContainerResponseFilter {
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      RequestScope.of(request)
          .flatMap(RequestScope::guarded)
          .ifPresent(each -> writeHeaders(each, response));
    }

    private static void writeHeaders(GuardedRequest guarded, ContainerResponseContext response) {
      if (response.getEntity() instanceof ProblemEntity refused) {
        ProblemEntity complete = refused.within(guarded);
        guarded.answered(complete.refusal());
        if (complete != refused) {
          response.setEntity(complete);
          put(complete.refusal().headers(), response);
        }
      } else {
        put(guarded.headers(), response);
      }
    }

    private static void put(List<HeaderField> fields, ContainerResponseContext response) {
      MultivaluedMap<String, Object> headers = response.getHeaders();
      for (HeaderField field : fields) {
        headers.put(field.name(), listOf(field.value()));
      }
    }

    /** Makes a list of one value: Jersey's putSingle() would make a larger one. */
    private static List<Object> listOf(String value) {
      List<Object> values = new ArrayList<>(1);
      values.add(value);
      return values;
    }
  }
}
