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
 * What key expressions read of a described request, by the expression. Of a header or parameter
 * there is one value. Immutable.
 */
final class RequestAttributes {
  private static final int MOST = 100;
  private static final int LONGEST_NAME = 255;
  private static final String HEADER = "header:";
  private static final Set<String> PLACES = Set.of(HEADER, "query:", "cookie:", "path:", "param:");

  private final Map<String, String> values;

  private RequestAttributes(Map<String, String> values) {
    this.values = values;
  }

  /** Reads what was sent. */
  static RequestAttributes of(Map<String, @Nullable String> sent) {
    if (sent.size() > MOST) {
      throw new InvalidFieldException("attributes", "must have at most " + MOST + " members");
    }
    Map<String, String> values = new HashMap<>();
    for (Map.Entry<String, @Nullable String> each : sent.entrySet()) {
      String name = each.getKey();
      if (!isExpression(name)) {
        throw new InvalidFieldException(
            "attributes",
            "must be named header:, query:, cookie:, path: or param: and a name of at most "
                + LONGEST_NAME
                + " characters");
      }
      String value = each.getValue();
      if (value == null) {
        continue;
      }
      if (values.put(spelled(name), value) != null) {
        throw new InvalidFieldException("attributes", "must have each header once");
      }
    }
    return new RequestAttributes(Map.copyOf(values));
  }

  /** The same with one more, which goes before what was sent. */
  RequestAttributes with(String expression, String value) {
    Map<String, String> more = new HashMap<>(values);
    more.put(spelled(expression), value);
    return new RequestAttributes(Map.copyOf(more));
  }

  /** Whether it says where in a request something is read. */
  static boolean isExpression(String text) {
    int colon = text.indexOf(':');
    return colon > 0
        && PLACES.contains(text.substring(0, colon + 1))
        && text.length() > colon + 1
        && text.length() - colon - 1 <= LONGEST_NAME;
  }

  /** Case doesn't count in names of headers, nor do blanks around their values. */
  private static String spelled(String expression) {
    return expression.startsWith(HEADER) ? expression.toLowerCase(Locale.ROOT) : expression;
  }

  Optional<String> find(String place, String name) {
    return Optional.ofNullable(values.get(spelled(place + name)));
  }

  List<String> header(String name) {
    return find(HEADER, name).map(String::strip).stream().toList();
  }
}
