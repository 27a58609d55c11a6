package io.weir.spring.webflux;

import io.weir.adapter.LimitedEndpoint;
import io.weir.spring.SpringHandlers;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The handler that answers a request, and its limits.
 *
 * <p>Immutable.
 *
 * @param endpoint its policies, and those of its path
 * @param handler the limits of the handler alone; null if only the path is limited
 * @param pattern the pattern that matched, as it is written; empty if there is none
 * @param template the same without regular expressions
 * @param variables the variables of the path
 * @param headers the response's header fields as the mapping has left them, such as those of CORS
 * @param isCertain false if mappings went by attributes, which filters may set later
 */
record FoundHandler(
    LimitedEndpoint endpoint,
    SpringHandlers.@Nullable Handler handler,
    String pattern,
    String template,
    Map<String, String> variables,
    HttpHeaders headers,
    boolean isCertain) {
  /** Returns the method that answers; null if there is none to be read. */
  @Nullable Method method() {
    return handler == null ? null : handler.method();
  }

  /** Returns whether it has a mapping for {@code HEAD} of its own. */
  boolean answersHead() {
    return handler != null && handler.answersHead();
  }

  /** Returns whether this is the same handler, found by the same pattern in the same way. */
  boolean isSameAs(FoundHandler other) {
    return Objects.equals(handler, other.handler)
        && pattern.equals(other.pattern)
        && variables.equals(other.variables);
  }
}
