package io.weir.spring.webflux;

import io.weir.adapter.LimitedEndpoint;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The handler that answers a request, and its limits.
 *
 * <p>Immutable.
 *
 * @param endpoint its policies
 * @param method the method that answers; null if there is none to be read
 * @param pattern the pattern that matched, as it is written; empty if there is none
 * @param template the same without regular expressions
 * @param variables the variables of the path
 * @param answersHead whether it has a mapping for {@code HEAD} of its own
 * @param headers the response's header fields as the mapping has left them, such as those of CORS
 */
record FoundHandler(
    LimitedEndpoint endpoint,
    @Nullable Method method,
    String pattern,
    String template,
    Map<String, String> variables,
    boolean answersHead,
    HttpHeaders headers) {}
