package io.weir.quarkus.rest;

import io.quarkus.resteasy.reactive.server.runtime.ResteasyReactiveRecorder;
import io.quarkus.runtime.BlockingOperationControl;
import io.quarkus.runtime.ExecutorRecorder;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedRequest;
import io.weir.internal.container.JaxrsTemplate;
import io.weir.internal.container.RawUri;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.resteasy.reactive.common.model.ResourceClass;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.model.ServerResourceMethod;
import org.jspecify.annotations.Nullable;

/**
 * Knows the resource methods of an application, and begins its requests. The build has Quarkus REST
 * make it, not applications.
 *
 * <p>Safe for concurrent use.
 */
@Singleton
public class RestLimits {
  private static final String CONTROL = "io.weir.internal.control";

  /** Filled while Quarkus REST is set up, which may be when a native image is built. */
  private final Map<ServerResourceMethod, LimitedResource> described = new LinkedHashMap<>();

  private final Map<RuntimeResource, List<LimitedResource>> found = new ConcurrentHashMap<>();
  private volatile String root = "";
  private volatile @Nullable Adapter adapter;
  private volatile @Nullable ResourceLookup lookup;

  /** Called by Quarkus. */
  public RestLimits() {}

  /**
   * Describes a resource method.
   *
   * @return null if it isn't limited: it finds sub-resources, or is Weir's own API, by which a rule
   *     that locks everybody out could be changed
   */
  synchronized @Nullable LimitedResource add(ResourceClass type, ServerResourceMethod method) {
    if (method.getHttpMethod() == null && method.isResourceLocator()
        || type.getClassName().startsWith(CONTROL)) {
      return null;
    }
    return described.computeIfAbsent(method, each -> LimitedResource.of(type, each));
  }

  /**
   * Validates the annotations of all resources, and binds their policies.
   *
   * @param opened the application's
   * @throws io.weir.InvalidPolicyException if there are mistakes; the message lists all
   */
  public synchronized void start(Adapter opened) {
    Collection<LimitedResource> all = described.values();
    opened.check(
        all.stream().map(LimitedResource::type).collect(Collectors.toSet()), EndpointType.JAXRS);
    all.forEach(each -> each.bind(opened, EndpointType.JAXRS));
    lookup = new ResourceLookup(ResteasyReactiveRecorder.getCurrentDeployment(), this::described);
    root =
        ConfigProvider.getConfig()
            .getOptionalValue("quarkus.http.root-path", String.class)
            .map(each -> RawUri.path(each).replaceFirst("/$", ""))
            .orElse("");
    adapter = opened;
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

  /** Returns a decoded path below {@code quarkus.http.root-path}. */
  String pathWithinApplication(String path) {
    return RawUri.pathWithin(root, path);
  }

  Adapter adapter() {
    return Objects.requireNonNull(adapter, "set when the application starts");
  }

  /** Returns what runs the parts of the application that decisions call. */
  Executor executor() {
    return adapter().callsApplication() && !BlockingOperationControl.isBlockingAllowed()
        ? ExecutorRecorder.getCurrent()
        : Runnable::run;
  }

  /**
   * Returns the filter of all requests that decides what needs no user, before Quarkus Security
   * reads a credential.
   *
   * @return runs in event loops
   */
  public Handler<RoutingContext> filter() {
    return new FirstPhase(this);
  }

  /** Looks up who will answer a request. */
  Optional<ResourceLookup.Found> lookUp(RoutingContext routing) {
    return Objects.requireNonNull(lookup).find(routing.request(), routing.normalizedPath());
  }

  /** Watches the response of a request that was begun before, and is routed again now. */
  static void routedAgain(RoutingContext routing) {
    @Nullable Object left = routing.get(LimitedRequest.ATTRIBUTE);
    if (left instanceof LimitedExchange begun) {
      ResponseWatch.watchHead(routing, begun);
    }
  }

  /** Returns the request of an exchange, begun unless it was before. */
  LimitedExchange exchange(RoutingContext routing, ExchangeRequest seen) {
    @Nullable Object left = routing.get(LimitedRequest.ATTRIBUTE);
    if (left instanceof LimitedExchange begun) {
      return begun;
    }
    LimitedRequest request = adapter().begin(seen, left);
    LimitedExchange begun = new LimitedExchange(adapter(), routing, request);
    routing.put(LimitedRequest.ATTRIBUTE, begun);
    request.countInFlight();
    ResponseWatch.start(routing, begun);
    return begun;
  }

  /** Returns the request that Quarkus REST answers; null if no resource has been found for it. */
  static @Nullable LimitedExchange of(ResteasyReactiveRequestContext rest) {
    return routing(rest).get(LimitedRequest.ATTRIBUTE);
  }

  static RoutingContext routing(ResteasyReactiveRequestContext rest) {
    return rest.unwrap(RoutingContext.class);
  }
}
