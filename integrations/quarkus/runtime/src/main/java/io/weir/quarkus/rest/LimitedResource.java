package io.weir.quarkus.rest;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.http.HttpServerRequest;
import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.RequestValues;
import jakarta.ws.rs.core.MediaType;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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

  /**
   * Describes a resource method.
   *
   * @param template of its path, as {@link #template}
   * @param httpMethod null if it answers all
   * @param consumes the media types that it takes; none for all
   * @param produces the media types that it sends; none for all
   */
  LimitedResource(
      Class<?> type,
      Method method,
      String template,
      @Nullable String httpMethod,
      String @Nullable [] consumes,
      String @Nullable [] produces) {
    this.type = type;
    this.method = method;
    this.template = template;
    this.httpMethod = httpMethod;
    this.consumes = parsed(consumes);
    this.produces = parsed(produces);
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

  /** Binds it to the policies of its annotations and of the settings, which are returned. */
  LimitedEndpoint bind(Adapter adapter) {
    LimitedEndpoint bound = adapter.endpoint(type, method, EndpointType.JAXRS);
    endpoint = bound;
    return bound;
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
