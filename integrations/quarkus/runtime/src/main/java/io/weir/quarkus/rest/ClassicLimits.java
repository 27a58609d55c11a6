package io.weir.quarkus.rest;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.Adapter;
import io.weir.internal.container.HandlerClass;
import io.weir.internal.container.JaxrsTemplate;
import jakarta.inject.Singleton;
import jakarta.ws.rs.HEAD;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jboss.resteasy.core.ResourceMethodInvoker;
import org.jboss.resteasy.core.ResteasyContext;
import org.jboss.resteasy.mock.MockHttpRequest;
import org.jboss.resteasy.spi.ResteasyDeployment;
import org.jspecify.annotations.Nullable;

/**
 * Knows the resource methods of RESTEasy Classic. The build has that make it, not applications.
 *
 * <p>Safe for concurrent use.
 */
@Singleton
public class ClassicLimits extends ResourceLimits {
  private static final String HOST = "http://application";
  private static final URI BASE = URI.create(HOST + "/");

  /** Filled while RESTEasy is set up, which may be when a native image is built. */
  private final List<LimitedResource> described = new ArrayList<>();

  private volatile @Nullable ResteasyDeployment deployment;
  private volatile String prefix = "";
  private volatile boolean rewrites;

  /** Called by Quarkus. */
  public ClassicLimits() {}

  /**
   * Notes where the resources are.
   *
   * @param path of all of them
   */
  public void serveBelow(String path) {
    prefix = path.replaceFirst("/$", "");
  }

  /**
   * Describes a resource method: while RESTEasy is set up, or that of a sub-resource at its first
   * request.
   *
   * @throws io.weir.InvalidPolicyException if a sub-resource has mistakes
   */
  synchronized LimitedResource add(Class<?> type, Method method) {
    if (deployment == null) {
      deployment = ResteasyContext.getContextData(ResteasyDeployment.class);
    }
    LimitedResource resource =
        new LimitedResource(
            type,
            method,
            JaxrsTemplate.of(type, method),
            HandlerClass.anyInFamily(type, method, each -> each.isAnnotationPresent(HEAD.class))
                ? "HEAD"
                : null,
            null,
            null);
    if (isStarted()) {
      bind(resource, adapter());
    } else {
      described.add(resource);
    }
    return resource;
  }

  @Override
  public synchronized void start(Adapter opened) {
    start(opened, described);
    ResteasyDeployment known = deployment;
    rewrites =
        known != null
            && known.getProviderFactory().getContainerRequestFilterRegistry().preMatch().length > 0;
  }

  @Override
  boolean mayRewrite() {
    return rewrites;
  }

  /** Matches a copy, since matching notes what it finds in the request. */
  @Override
  Optional<FoundResource> lookUp(RoutingContext routing) {
    ResteasyDeployment known = deployment;
    String path = ArrivedView.plain(routing.normalizedPath());
    if (known == null || !path.equals(prefix) && !path.startsWith(prefix + "/")) {
      return Optional.empty();
    }
    HttpServerRequest request = routing.request();
    String below = path.length() == prefix.length() ? "/" : path.substring(prefix.length());
    MockHttpRequest copy =
        MockHttpRequest.create(request.method().name(), URI.create(HOST + below), BASE);
    Stream.of(HttpHeaderNames.ACCEPT, HttpHeaderNames.CONTENT_TYPE)
        .forEach(
            name ->
                request
                    .headers()
                    .getAll(name)
                    .forEach(value -> copy.header(name.toString(), value)));
    return known.getRegistry().getResourceInvoker(copy) instanceof ResourceMethodInvoker invoker
        ? Stream.of(invoker.getRequestFilters())
            .flatMap(each -> each instanceof ClassicFilters.Arrive it ? Stream.of(it) : null)
            .findFirst()
            .map(arrive -> new FoundResource(arrive.resource(), variables(copy)))
        : Optional.empty();
  }

  private static Map<String, String> variables(MockHttpRequest matched) {
    Map<String, String> variables = new HashMap<>();
    matched
        .getUri()
        .getPathParameters()
        .forEach(
            (name, values) -> values.stream().findFirst().ifPresent(v -> variables.put(name, v)));
    return variables;
  }
}
