package io.weir.jaxrs;

import io.weir.InvalidPolicyException;
import io.weir.adapter.LimitedEndpoint;
import io.weir.internal.container.JaxrsImplementation;
import io.weir.spi.DecisionPhase;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Limits the methods of sub-resources where the implementation applies features only to classes
 * that it knows at the start: binds their policies at the first request, and decides them in
 * filters that run for all methods.
 *
 * <p>Safe for concurrent use.
 */
final class SubResourceBinder implements DynamicFeature {
  private final JaxrsApplication application;
  private final Set<Called> boundAtStart = ConcurrentHashMap.newKeySet();
  private final Map<Called, Optional<EndpointFilters>> boundLater = new ConcurrentHashMap<>();
  private final Map<Called, ForeignFilterPosition> otherFilters = new ConcurrentHashMap<>();

  private SubResourceBinder(JaxrsApplication application) {
    this.application = application;
  }

  static void register(FeatureContext context, JaxrsApplication application) {
    SubResourceBinder binder = new SubResourceBinder(application);
    context.register(binder);
    context.register(new Before(binder), EndpointFilters.BEFORE);
    context.register(new After(binder), EndpointFilters.AFTER);
  }

  /** Notes a method that {@link EndpointBinder} binds. */
  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    boundAtStart.add(new Called(resource.getResourceClass(), resource.getResourceMethod()));
  }

  private void decide(
      @Nullable ResourceInfo resource, ContainerRequestContext context, DecisionPhase phase) {
    if (resource == null || !ResourceMethods.isEndpoint(resource)) {
      return;
    }
    Called called = new Called(resource.getResourceClass(), resource.getResourceMethod());
    if (!boundAtStart.contains(called)) {
      boundLater
          .computeIfAbsent(called, this::bind)
          .filter(each -> each.endpoint().decides(phase))
          .ifPresent(each -> each.decide(context, phase, others(called, context, phase)));
    }
  }

  private ForeignFilterPosition others(
      Called called, ContainerRequestContext context, DecisionPhase phase) {
    return phase == DecisionPhase.BEFORE_AUTHENTICATION
        ? ForeignFilterPosition.NONE
        : application.withEarlier(otherFilters.computeIfAbsent(called, any -> findOthers(context)));
  }

  /** Asks for the other filters, within a request to the method, which may have some of its own. */
  private ForeignFilterPosition findOthers(ContainerRequestContext context) {
    Optional<JaxrsImplementation> jaxrs = application.implementation();
    jaxrs.ifPresent(each -> EndpointFilters.noteFiltersBeforeMatching(application, each, context));
    return jaxrs
        .flatMap(each -> each.requestFilters(context))
        .map(chain -> ForeignFilterPosition.in(chain, Before.class, After.class))
        .orElse(ForeignFilterPosition.BETWEEN);
  }

  private Optional<EndpointFilters> bind(Called called) {
    try {
      application.check(called.type());
      LimitedEndpoint endpoint = application.endpoint(called.type(), called.method());
      if (endpoint.isEmpty()) {
        return Optional.empty();
      }
      if (endpoint.needsAddress()) {
        application.requirePeer();
      }
      ResourceTemplate template = new ResourceTemplate(called.type(), called.method());
      return Optional.of(new EndpointFilters(application, endpoint, template, false));
    } catch (InvalidPolicyException | IllegalStateException mistake) {
      application.report(mistake.toString());
      throw mistake;
    }
  }

  /** A method of a resource, which may be inherited. */
  private record Called(Class<?> type, Method method) {}

  // One class per filter, since JAX-RS registers a class only once.

  private static final class Before implements ContainerRequestFilter {
    private final SubResourceBinder binder;

    @Context private @Nullable ResourceInfo resource;

    Before(SubResourceBinder binder) {
      this.binder = binder;
    }

    @Override
    public void filter(ContainerRequestContext context) {
      binder.decide(resource, context, DecisionPhase.BEFORE_AUTHENTICATION);
    }
  }

  private static final class After implements ContainerRequestFilter {
    private final SubResourceBinder binder;

    @Context private @Nullable ResourceInfo resource;

    After(SubResourceBinder binder) {
      this.binder = binder;
    }

    @Override
    public void filter(ContainerRequestContext context) {
      binder.decide(resource, context, DecisionPhase.AFTER_AUTHENTICATION);
    }
  }
}
