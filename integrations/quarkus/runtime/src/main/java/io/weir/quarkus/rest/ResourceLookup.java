package io.weir.quarkus.rest;

import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jboss.resteasy.reactive.server.core.Deployment;
import org.jboss.resteasy.reactive.server.handlers.ClassRoutingHandler;
import org.jboss.resteasy.reactive.server.handlers.RestInitialHandler.InitialMatch;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper.RequestMatch;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;
import org.jspecify.annotations.Nullable;

/**
 * Finds the resource method that will answer a request, by the tables of Quarkus REST itself. It is
 * a guess: a filter may change the request before Quarkus REST looks it up.
 *
 * <p>Safe for concurrent use.
 */
final class ResourceLookup {
  private final RequestMapper<InitialMatch> classes;
  private final String prefix;
  private final BiFunction<RuntimeResource, HttpServerRequest, @Nullable LimitedResource> resources;

  /**
   * Reads the tables of an application.
   *
   * @param resources returns null for what isn't limited, such as a method that finds sub-resources
   */
  ResourceLookup(
      Deployment deployment,
      BiFunction<RuntimeResource, HttpServerRequest, @Nullable LimitedResource> resources) {
    this.classes = new RequestMapper<>(deployment.getClassMappers());
    this.prefix = deployment.getPrefix().replaceFirst("/$", "");
    this.resources = resources;
  }

  /**
   * Looks a request up.
   *
   * @param path the normalized path, undecoded
   */
  Optional<FoundResource> find(HttpServerRequest request, String path) {
    @Nullable String below = below(ArrivedView.plain(path));
    @Nullable RequestMatch<InitialMatch> initial = below == null ? null : classes.map(below);
    if (initial == null) {
      return Optional.empty();
    }
    for (ServerRestHandler each : initial.value.handlers) {
      if (each instanceof ClassRoutingHandler routing) {
        return find(request, initial, routing);
      }
    }
    return Optional.empty();
  }

  /** Returns null for a path that isn't among those of Quarkus REST. */
  private @Nullable String below(String path) {
    if (path.equals(prefix)) {
      return "/";
    }
    return path.startsWith(prefix + "/") ? path.substring(prefix.length()) : null;
  }

  private Optional<FoundResource> find(
      HttpServerRequest request, RequestMatch<InitialMatch> initial, ClassRoutingHandler routing) {
    String remaining = initial.remaining.isEmpty() ? "/" : initial.remaining;
    @Nullable RequestMatch<RuntimeResource> match =
        match(routing, request.method().name(), remaining);
    if (match == null) {
      return Optional.empty();
    }
    LimitedResource resource = resources.apply(match.value, request);
    return resource == null
        ? Optional.empty()
        : Optional.of(new FoundResource(resource, variables(initial, match)));
  }

  /**
   * Matches as Quarkus REST does: HEAD is answered by GET, and a class may have a method for all.
   */
  private static @Nullable RequestMatch<RuntimeResource> match(
      ClassRoutingHandler routing, String method, String remaining) {
    Map<String, RequestMapper<RuntimeResource>> mappers = routing.getMappers();
    for (@Nullable String each : candidates(method)) {
      RequestMapper<RuntimeResource> mapper = mappers.get(each);
      RequestMatch<RuntimeResource> match = mapper == null ? null : mapper.map(remaining);
      if (match != null) {
        return match;
      }
    }
    return null;
  }

  private static @Nullable String[] candidates(String method) {
    return method.equals("HEAD")
        ? new @Nullable String[] {method, "GET", null}
        : new @Nullable String[] {method, null};
  }

  private static Map<String, String> variables(
      RequestMatch<InitialMatch> initial, RequestMatch<RuntimeResource> match) {
    Map<String, String> variables = new HashMap<>();
    int ofClass = initial.template.countPathParamNames();
    match
        .value
        .getPathParameterIndexes()
        .forEach(
            (name, index) -> {
              String[] values = index < ofClass ? initial.pathParamValues : match.pathParamValues;
              int at = index < ofClass ? index : index - ofClass;
              if (at < values.length && values[at] != null) {
                variables.put(name, values[at]);
              }
            });
    return variables;
  }
}
