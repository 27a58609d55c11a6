package io.weir.spring.web;

import io.weir.adapter.RequestValues;
import io.weir.servlet.ExceptedRequests;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.InputStream;
import java.io.Reader;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.security.Principal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpEntity;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;

/**
 * Finds the values that Spring MVC joins by commas, to give a handler one text for a parameter or
 * header field that a request has several times.
 */
final class JoinedValues {
  /** Types and annotations of parameters that aren't made from the parameters of the request. */
  private static final List<Class<?>> TYPES =
      List.of(
          ServletRequest.class,
          ServletResponse.class,
          InputStream.class,
          Reader.class,
          HttpEntity.class,
          Principal.class);

  private static final List<Class<? extends Annotation>> ANNOTATIONS =
      List.of(RequestBody.class, RequestHeader.class, PathVariable.class, CookieValue.class);

  private JoinedValues() {}

  /** Returns whether Spring MVC makes an argument from the request's parameters, as of a form. */
  static boolean areBound(@Nullable Method handler) {
    return handler != null
        && Arrays.stream(handler.getParameters()).anyMatch(JoinedValues::isBound);
  }

  private static boolean isBound(Parameter parameter) {
    return TYPES.stream().noneMatch(each -> each.isAssignableFrom(parameter.getType()))
        && ANNOTATIONS.stream().noneMatch(parameter::isAnnotationPresent);
  }

  /**
   * Returns whether a text is made of all values of one parameter or header field.
   *
   * @param handler the method; parameters that Spring MVC doesn't read for it aren't read here:
   *     that would take the body of a form from the handler
   * @return false too if the request can't be read any more, since its response has ended
   */
  static boolean areIn(HttpServletRequest request, @Nullable Method handler, String text) {
    return RequestValues.read(() -> isIn(request, handler, text)).orElse(false);
  }

  private static boolean isIn(HttpServletRequest request, @Nullable Method handler, String text) {
    Collection<String[]> parameters =
        areBound(handler)
            ? RequestValues.read(request::getParameterMap).orElse(Map.of()).values()
            : List.of();
    return parameters.stream().anyMatch(values -> isJoined(List.of(values), text))
        || ExceptedRequests.headerNames(request).stream()
            .anyMatch(name -> isJoined(lines(request, name), text));
  }

  private static boolean isJoined(List<String> values, String text) {
    return values.size() > 1 && String.join(",", values).equals(text);
  }

  private static List<String> lines(HttpServletRequest request, String name) {
    @Nullable Enumeration<String> lines = request.getHeaders(name);
    return lines == null ? List.of() : Collections.list(lines);
  }
}
