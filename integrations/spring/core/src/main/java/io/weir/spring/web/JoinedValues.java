package io.weir.spring.web;

import io.weir.adapter.RequestValues;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the values that Spring MVC joins by commas, to give a handler one text for a parameter or
 * header field that a request has several times.
 */
final class JoinedValues {
  private JoinedValues() {}

  /**
   * Returns whether a text is made of all values of one parameter or header field.
   *
   * @param bindsParameters whether Spring MVC has read the parameters; to read them earlier would
   *     take the body of a form from the handler
   * @return false too if the request can't be read any more, since its response has ended
   */
  static boolean areIn(HttpServletRequest request, boolean bindsParameters, String text) {
    return RequestValues.read(() -> isIn(request, bindsParameters, text)).orElse(false);
  }

  private static boolean isIn(HttpServletRequest request, boolean bindsParameters, String text) {
    Collection<String[]> parameters =
        bindsParameters
            ? RequestValues.read(request::getParameterMap).orElse(Map.of()).values()
            : List.of();
    return parameters.stream().anyMatch(values -> isJoined(List.of(values), text))
        || Collections.list(names(request)).stream()
            .anyMatch(name -> isJoined(lines(request, name), text));
  }

  private static boolean isJoined(List<String> values, String text) {
    return values.size() > 1 && String.join(",", values).equals(text);
  }

  /** Returns the names of the header fields; none if the container doesn't show them. */
  static Enumeration<String> names(HttpServletRequest request) {
    @Nullable Enumeration<String> names = request.getHeaderNames();
    return names == null ? Collections.emptyEnumeration() : names;
  }

  private static List<String> lines(HttpServletRequest request, String name) {
    @Nullable Enumeration<String> lines = request.getHeaders(name);
    return lines == null ? List.of() : Collections.list(lines);
  }
}
