package io.weir.spring.web;

import io.weir.adapter.LimitedEndpoint;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.cors.CorsConfigurationSource;

/**
 * A request's handler, with what its mapping has found out about the request.
 *
 * @param handler the handler; null if there is none, or none is known
 * @param endpoint the policies of the handler, and those of the path
 * @param pattern the pattern as Spring MVC writes it; empty if there is none
 * @param name what rules match: the pattern without regular expressions, else the decoded path
 * @param variables the decoded variables of the path
 * @param limited whether anything may be decided; not if Spring MVC itself answers OPTIONS
 * @param cors the rules for callers from other origins; null if there are none
 */
record HandlerMatch(
    @Nullable MvcHandler handler,
    LimitedEndpoint endpoint,
    String pattern,
    String name,
    Map<String, String> variables,
    boolean limited,
    @Nullable CorsConfigurationSource cors) {
  boolean hasTemplate() {
    return !pattern.isEmpty();
  }

  boolean answersHead() {
    return handler != null && handler.answersHead();
  }

  /** Returns whether another match is the same handler, with the same policies for its path. */
  boolean isAt(HandlerMatch other) {
    return handler != null && handler.equals(other.handler) && name.equals(other.name);
  }

  HandlerMatch withCors(CorsConfigurationSource found) {
    return new HandlerMatch(handler, endpoint, pattern, name, variables, limited, found);
  }
}
