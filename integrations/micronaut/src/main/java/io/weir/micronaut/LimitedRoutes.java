package io.weir.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteInfo;
import io.weir.InvalidPolicyException;
import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedEndpoint;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the policies that limit the routes of an application.
 *
 * <p>Safe for concurrent use.
 */
@Singleton
@Requires(classes = Router.class, beans = Router.class)
final class LimitedRoutes {
  /** A method of a controller, or one that a route of the application names. */
  static final EndpointType TYPE =
      new EndpointType("MICRONAUT", true, false, false, true, LimitedRoutes::httpMethod);

  private static final String OF_MICRONAUT = "io.micronaut.";

  private final Adapter adapter;
  private final Router router;
  private final Map<UriRouteInfo<?, ?>, LimitedRoute> routes = new ConcurrentHashMap<>();
  private final LimitedRoute none;

  /**
   * A route with the policies that limit it.
   *
   * @param endpoint its policies
   * @param method the method that answers, as it is written; null for one of Micronaut's own, and
   *     where there is no route
   * @param template the path without regular expressions; empty where there is no route
   * @param httpMethod the HTTP method that it answers; empty where there is no route
   */
  record LimitedRoute(
      LimitedEndpoint endpoint, @Nullable Method method, String template, String httpMethod) {}

  LimitedRoutes(Adapter adapter, Router router) {
    this.adapter = adapter;
    this.router = router;
    this.none = new LimitedRoute(adapter.withoutClass(), null, "", "");
  }

  /**
   * Validates the annotations of all routes, and what settings bind to them.
   *
   * @throws InvalidPolicyException if there are mistakes; the message lists all
   */
  void check() {
    Set<Class<?>> types = new LinkedHashSet<>();
    all().forEach(each -> types.add(type(each)));
    List<String> mistakes = new ArrayList<>();
    collect(mistakes, () -> adapter.check(types, TYPE));
    if (mistakes.isEmpty()) {
      all().forEach(each -> collect(mistakes, () -> of(each)));
    }
    InvalidPolicyException.throwIfAny(mistakes);
  }

  private static void collect(List<String> mistakes, Runnable check) {
    try {
      check.run();
    } catch (InvalidPolicyException found) {
      mistakes.addAll(found.mistakes());
    }
  }

  private Stream<UriRouteInfo<?, ?>> all() {
    return router.uriRoutes().filter(each -> !isOfMicronaut(each));
  }

  /** Returns the methods that answer requests, which the filter limits. */
  Set<Method> methods() {
    return all().map(LimitedRoutes::method).collect(Collectors.toSet());
  }

  /** Returns what limits requests that no route answers, such as those for files. */
  LimitedRoute withoutRoute() {
    return none;
  }

  /**
   * Finds the policies of a route.
   *
   * @throws InvalidPolicyException before the start has ended, if there are mistakes
   */
  LimitedRoute of(UriRouteInfo<?, ?> route) {
    LimitedRoute found = routes.get(route);
    return found != null ? found : routes.computeIfAbsent(route, this::read);
  }

  private LimitedRoute read(UriRouteInfo<?, ?> route) {
    String template = RouteTemplate.of(route.getUriMatchTemplate().toPathString());
    String httpMethod = route.getHttpMethodName();
    if (isOfMicronaut(route)) {
      return new LimitedRoute(adapter.withoutClass(), null, template, httpMethod);
    }
    Method method = method(route);
    return new LimitedRoute(
        adapter.endpoint(type(route), method, TYPE), method, template, httpMethod);
  }

  /** Returns whether a route is one of Micronaut's own, such as those of its management. */
  private static boolean isOfMicronaut(UriRouteInfo<?, ?> route) {
    return isOfMicronaut(route.getDeclaringType().getName());
  }

  static boolean isOfMicronaut(String type) {
    return type.startsWith(OF_MICRONAUT);
  }

  private static Class<?> type(UriRouteInfo<?, ?> route) {
    return WrittenTypes.of(route.getDeclaringType());
  }

  private static Method method(UriRouteInfo<?, ?> route) {
    return WrittenTypes.of(route.getTargetMethod().getTargetMethod());
  }

  /** Reads {@code GET} of {@code @Get}, and so on. */
  private static Optional<String> httpMethod(Method method) {
    List<String> named =
        Stream.of(method.getAnnotations())
            .map(each -> each.annotationType())
            .filter(each -> each.isAnnotationPresent(HttpMethodMapping.class))
            .map(each -> each.getSimpleName().toUpperCase(Locale.ROOT))
            .toList();
    return named.size() == 1 ? Optional.of(named.get(0)) : Optional.empty();
  }
}
