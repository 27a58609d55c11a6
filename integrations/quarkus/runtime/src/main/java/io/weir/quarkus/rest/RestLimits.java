package io.weir.quarkus.rest;

import io.quarkus.resteasy.reactive.server.runtime.ResteasyReactiveRecorder;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.Adapter;
import io.weir.internal.container.JaxrsTemplate;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.resteasy.reactive.common.model.ResourceClass;
import org.jboss.resteasy.reactive.server.core.Deployment;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.model.ServerResourceMethod;
import org.jspecify.annotations.Nullable;

/**
 * Knows the resource methods of Quarkus REST. The build has that make it, not applications.
 *
 * <p>Safe for concurrent use.
 */
@Singleton
public class RestLimits extends ResourceLimits {
  /** Filled while Quarkus REST is set up, which may be when a native image is built. */
  private final Map<ServerResourceMethod, LimitedResource> described = new LinkedHashMap<>();

  private final Map<RuntimeResource, List<LimitedResource>> found = new ConcurrentHashMap<>();
  private volatile @Nullable ResourceLookup lookup;
  private volatile boolean rewrites;

  /** Called by Quarkus. */
  public RestLimits() {}

  /**
   * Describes a resource method.
   *
   * @return null if it isn't limited: it finds sub-resources, or is Weir's own
   */
  synchronized @Nullable LimitedResource add(ResourceClass type, ServerResourceMethod method) {
    if (method.getHttpMethod() == null && method.isResourceLocator()
        || isControl(type.getClassName())) {
      return null;
    }
    return described.computeIfAbsent(method, each -> RestResources.of(type, each));
  }

  @Override
  public synchronized void start(Adapter opened) {
    start(opened, described.values());
    Deployment deployment = ResteasyReactiveRecorder.getCurrentDeployment();
    lookup = new ResourceLookup(deployment, this::described);
    rewrites = RestView.mayBeRewritten(deployment);
  }

  /** Returns the first resource of a place in the tables that fits the media types of a request. */
  private @Nullable LimitedResource described(RuntimeResource place, HttpServerRequest request) {
    List<LimitedResource> all = found.computeIfAbsent(place, this::find);
    return all.size() < 2
        ? all.stream().findFirst().orElse(null)
        : all.stream().filter(each -> each.fits(request)).findFirst().orElse(all.get(0));
  }

  /** Finds the resource; all that only media types distinguish, in the order of Quarkus REST. */
  private synchronized List<LimitedResource> find(RuntimeResource place) {
    if (place.getLazyMethod() == null) {
      String template =
          JaxrsTemplate.joined(place.getClassPath().template, place.getPath().template);
      return described.values().stream()
          .filter(each -> each.isAt(template, place.getHttpMethod()))
          .toList();
    }
    Method method = place.getLazyMethod().getMethod();
    return described.values().stream()
        .filter(each -> each.type() == place.getResourceClass() && each.method().equals(method))
        .toList();
  }

  @Override
  Optional<FoundResource> lookUp(RoutingContext routing) {
    return Objects.requireNonNull(lookup).find(routing.request(), routing.normalizedPath());
  }

  @Override
  boolean mayRewrite() {
    return rewrites;
  }

  /** Returns the request that Quarkus REST answers; null if no resource has been found for it. */
  static @Nullable LimitedExchange of(ResteasyReactiveRequestContext rest) {
    return begun(routing(rest));
  }

  static RoutingContext routing(ResteasyReactiveRequestContext rest) {
    return rest.unwrap(RoutingContext.class);
  }
}
