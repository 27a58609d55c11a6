package io.weir.quarkus.rest;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.http.HttpServerRequest;
import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.RequestValues;
import io.weir.internal.container.JaxrsTemplate;
import jakarta.ws.rs.core.MediaType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.common.model.MethodParameter;
import org.jboss.resteasy.reactive.common.model.ResourceClass;
import org.jboss.resteasy.reactive.server.model.ServerResourceMethod;
import org.jspecify.annotations.Nullable;

/**
 * A resource method. What limits it is known once the application starts.
 *
 * <p>Safe for concurrent use, once it is bound.
 */
final class LimitedResource {
  private final Class<?> type;
  private final Method method;
  private final String template;
  private final @Nullable String httpMethod;
  private final List<MediaType> consumes;
  private final List<MediaType> produces;
  private volatile @Nullable LimitedEndpoint endpoint;

  private LimitedResource(
      Class<?> type, Method method, String template, ServerResourceMethod described) {
    this.type = type;
    this.method = method;
    this.template = template;
    this.httpMethod = described.getHttpMethod();
    this.consumes = parsed(described.getConsumes());
    this.produces = parsed(described.getProduces());
  }

  /**
   * Finds the class and the method that Quarkus REST describes.
   *
   * @param resource the class that serves; without a path that of a sub-resource
   */
  static LimitedResource of(ResourceClass resource, ServerResourceMethod method) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    Class<?> type = load(resource.getClassName(), loader);
    List<String> parameters =
        Arrays.stream(method.getParameters()).map(LimitedResource::written).toList();
    return new LimitedResource(
        type,
        find(type, method.getName(), parameters),
        resource.getPath() == null
            ? type.getSimpleName() + "#" + method.getName()
            : JaxrsTemplate.joined(
                resource.getPath(), Objects.requireNonNullElse(method.getPath(), "")),
        method);
  }

  private static String written(MethodParameter parameter) {
    return parameter.declaredUnresolvedType;
  }

  private static Class<?> load(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException missing) {
      throw new IllegalStateException("Quarkus REST serves a class that is missing", missing);
    }
  }

  private static Method find(Class<?> type, String name, List<String> parameters) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        if (is(method, name, parameters)) {
          return method;
        }
      }
    }
    return Arrays.stream(type.getMethods()) // default methods of interfaces
        .filter(method -> is(method, name, parameters))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(type.getName() + " has no method " + name + parameters));
  }

  private static boolean is(Method method, String name, List<String> parameters) {
    return method.getName().equals(name)
        && !method.isBridge()
        && Arrays.stream(method.getParameterTypes())
            .map(Class::getName)
            .toList()
            .equals(parameters);
  }

  /** Returns whether it answers at a path, for an HTTP method or for all. */
  boolean isAt(String path, @Nullable String asked) {
    return template.equals(path) && Objects.equals(httpMethod, asked);
  }

  /** Returns whether it takes what a request sends and sends what that accepts. */
  boolean fits(HttpServerRequest request) {
    return isAny(consumes, request.getHeader(HttpHeaderNames.CONTENT_TYPE))
        && isAny(produces, request.getHeader(HttpHeaderNames.ACCEPT));
  }

  private static boolean isAny(List<MediaType> own, @Nullable String asked) {
    return own.isEmpty()
        || asked == null
        || parsed(asked.split(",")).stream()
            .anyMatch(each -> own.stream().anyMatch(each::isCompatible));
  }

  /** Leaves out what is malformed. */
  private static List<MediaType> parsed(String @Nullable [] types) {
    return Stream.ofNullable(types)
        .flatMap(Stream::of)
        .flatMap(each -> RequestValues.read(() -> MediaType.valueOf(each.strip())).stream())
        .toList();
  }

  /** Binds it to the policies of its annotations and of the settings. */
  void bind(Adapter adapter, EndpointType kind) {
    endpoint = adapter.endpoint(type, method, kind);
  }

  Class<?> type() {
    return type;
  }

  Method method() {
    return method;
  }

  /**
   * Returns the path below the application's, without regular expressions, such as {@code
   * /posts/{id}}; of a sub-resource the class and the method.
   */
  String template() {
    return template;
  }

  /** Returns whether it answers a HEAD itself; otherwise it does so as if it were a GET. */
  boolean answersHead() {
    return "HEAD".equals(httpMethod);
  }

  LimitedEndpoint endpoint() {
    return Objects.requireNonNull(endpoint, "bound when the application starts");
  }
}
