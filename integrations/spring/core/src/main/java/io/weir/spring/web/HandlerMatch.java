package io.weir.spring.web;

import io.weir.adapter.LimitedEndpoint;
import io.weir.spring.SpringHandlers;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.cors.CorsConfigurationSource;

/**
 * A request's handler, with what its mapping has found out about the request.
 *
 * @param handler the handler; null if there is none, or none is known
 * @param endpoint the policies of the handler, and those of the path
 * @param path the decoded path, if policies go by it; else empty
 * @param pattern the pattern as Spring MVC writes it; empty if there is none
 * @param name what rules match: the pattern without regular expressions, else the decoded path
 * @param variables the decoded variables of the path
 * @param limited whether anything may be decided; not if Spring MVC itself answers OPTIONS
 * @param cors the rules for callers from other origins; null if there are none
 * @param siblings the other handlers that a form in the body may choose
 */
record HandlerMatch(
    SpringHandlers.@Nullable Handler handler,
    LimitedEndpoint endpoint,
    String method,
    String path,
    String pattern,
    String name,
    Map<String, String> variables,
    boolean limited,
    @Nullable CorsConfigurationSource cors,
    List<HandlerMatch> siblings) {
  boolean hasTemplate() {
    return !pattern.isEmpty();
  }

  /** Returns the method that carries the policies, as it is written; null if there is none. */
  @Nullable Method handlerMethod() {
    return handler == null ? null : handler.method();
  }

  boolean answersHead() {
    return handler != null && handler.answersHead();
  }

  /** Returns whether another match has the same policies, cost and keys. */
  boolean isAt(HandlerMatch other) {
    return handler != null
        && handler.equals(other.handler)
        && method.equals(other.method)
        && name.equals(other.name)
        && path.equals(other.path)
        && variables.equals(other.variables)
        && siblings.isEmpty();
  }

  List<HandlerMatch> candidates() {
    if (siblings.isEmpty()) {
      return List.of(this);
    }
    List<HandlerMatch> all = new ArrayList<>(siblings);
    all.add(0, this);
    return all;
  }

  /** Returns whether another match has one of the handlers that a form may choose. */
  boolean isAmongCandidates(HandlerMatch other) {
    return !siblings.isEmpty()
        && candidates().stream()
            .anyMatch(each -> each.handler != null && each.handler.equals(other.handler));
  }

  LimitedEndpoint ofAllCandidates() {
    LimitedEndpoint all = endpoint;
    for (HandlerMatch each : siblings) {
      all = all.and(each.endpoint);
    }
    return all;
  }

  HandlerMatch withCors(CorsConfigurationSource found) {
    return new HandlerMatch(
        handler, endpoint, method, path, pattern, name, variables, limited, found, siblings);
  }

  HandlerMatch withSiblings(List<HandlerMatch> others) {
    return new HandlerMatch(
        handler, endpoint, method, path, pattern, name, variables, limited, cors, others);
  }
}
