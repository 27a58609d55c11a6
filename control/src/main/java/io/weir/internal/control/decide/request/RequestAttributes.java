package io.weir.internal.control.decide.request;

import io.weir.internal.control.json.InvalidFieldException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds the values that key expressions read from a described request, by expression. Each header
 * or parameter has one value. Immutable.
 */
final class RequestAttributes {
  private static final int MAX_VALUES = 100;
  private static final int MAX_NAME = 255;
  private static final String HEADER = "header:";
  private static final Set<String> PLACES = Set.of(HEADER, "query:", "cookie:", "path:", "param:");

  private static final RequestAttributes NONE = new RequestAttributes(Map.of());

  private final Map<String, String> values;

  private RequestAttributes(Map<String, String> values) {
    this.values = values;
  }

  static RequestAttributes of(Map<String, @Nullable String> sent) {
    if (sent.isEmpty()) {
      return NONE;
    }
    if (sent.size() > MAX_VALUES) {
      throw new InvalidFieldException("attributes", "must have at most " + MAX_VALUES + " members");
    }
    Map<String, String> values = new HashMap<>();
    for (Map.Entry<String, @Nullable String> each : sent.entrySet()) {
      String name = each.getKey();
      if (!isExpression(name)) {
        throw new InvalidFieldException(
            "attributes",
            "must have names that begin with header:, query:, cookie:, path: or param:, followed by"
                + " at most "
                + MAX_NAME
                + " characters");
      }
      String value = each.getValue();
      if (value == null) {
        continue;
      }
      if (values.put(normalized(name), value) != null) {
        throw new InvalidFieldException("attributes", "must not repeat a header");
      }
    }
    return new RequestAttributes(Map.copyOf(values));
  }

  /** Adds a value, which replaces the one that was sent. */
  RequestAttributes with(String expression, String value) {
    Map<String, String> more = new HashMap<>(values);
    more.put(normalized(expression), value);
    return new RequestAttributes(Map.copyOf(more));
  }

  /** Adds a value unless one was sent. */
  RequestAttributes withDefault(String expression, String value) {
    return values.containsKey(normalized(expression)) ? this : with(expression, value);
  }

  /** Returns whether a text is a key expression that reads a request. */
  static boolean isExpression(String text) {
    int colon = text.indexOf(':');
    return colon > 0
        && PLACES.contains(text.substring(0, colon + 1))
        && text.length() > colon + 1
        && text.length() - colon - 1 <= MAX_NAME;
  }

  /** Names of headers ignore case. */
  private static String normalized(String expression) {
    return expression.startsWith(HEADER) ? expression.toLowerCase(Locale.ROOT) : expression;
  }

  Optional<String> find(String place, String name) {
    return Optional.ofNullable(values.get(normalized(place + name)));
  }

  List<String> header(String name) {
    return find(HEADER, name).map(String::strip).stream().toList();
  }
}
