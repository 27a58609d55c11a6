package io.weir.internal.control.decide.request;

import io.weir.InvalidRequestException;
import io.weir.internal.control.json.InvalidFieldException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Holds the values that key expressions read from a described request, by expression. Each header,
 * parameter or field of the body has one value. Immutable.
 */
final class RequestAttributes {
  private static final int MAX_VALUES = 100;
  private static final int MAX_NAME = 255;
  private static final String HEADER = "header:";
  private static final String QUERY = "query:";
  private static final String FORM = "form:";
  private static final String JSON = "json:";
  private static final Set<String> PLACES =
      Set.of(HEADER, QUERY, "cookie:", "path:", "param:", FORM, JSON);

  private static final Pattern POINTER = Pattern.compile("json:/(?:[^~]|~[01])*");

  /** Stands before a further place in the expression of a policy. */
  private static final Pattern NEXT = Pattern.compile("\\|(?:form|json):");

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
            "must have names of one place each: header:, query:, cookie:, path:, param: or form: and"
                + " at most "
                + MAX_NAME
                + " characters, or json: and a JSON Pointer, such as json:/user/email");
      }
      String value = each.getValue();
      if (value == null) {
        continue;
      }
      if (values.put(normalized(name), value) != null) {
        throw new InvalidFieldException("attributes", "must not repeat a header or a JSON field");
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
        && text.length() - colon - 1 <= MAX_NAME
        && (!isOfBody(text) || isOneField(text));
  }

  private static boolean isOfBody(String expression) {
    return expression.startsWith(FORM) || expression.startsWith(JSON);
  }

  private static boolean isOneField(String expression) {
    return !NEXT.matcher(expression).find()
        && (expression.startsWith(FORM) || POINTER.matcher(expression).matches());
  }

  /** Names of headers ignore case, and those of JSON as {@link String#equalsIgnoreCase} does. */
  private static String normalized(String expression) {
    if (expression.startsWith(HEADER)) {
      return expression.toLowerCase(Locale.ROOT);
    }
    return expression.startsWith(JSON)
        ? expression
            .codePoints()
            .map(letter -> Character.toLowerCase(Character.toUpperCase(letter)))
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString()
        : expression;
  }

  Optional<String> find(String place, String name) {
    return Optional.ofNullable(values.get(normalized(place + name)));
  }

  List<String> header(String name) {
    return find(HEADER, name).map(String::strip).stream().toList();
  }

  /** Returns a form field as forms of real requests have it, which may be in the query. */
  Optional<String> form(String name) {
    Optional<String> ofBody = ofBody(FORM, name);
    Optional<String> ofQuery = find(QUERY, name);
    if (ofBody.isPresent() && ofQuery.isPresent()) {
      throw new InvalidRequestException("The form field " + name + " has several values.");
    }
    return ofBody.or(() -> ofQuery);
  }

  Optional<String> json(String pointer) {
    return ofBody(JSON, pointer);
  }

  private Optional<String> ofBody(String place, String name) {
    return find(place, name).filter(value -> !value.isEmpty());
  }

  /**
   * Returns whether the request is known to lack a field of the body that it has no value for: an
   * empty text says so, and so does a field of the other format, since a body has one.
   */
  boolean lacks(String expression) {
    return values.containsKey(normalized(expression))
        || expression.startsWith(FORM) && has(JSON)
        || expression.startsWith(JSON) && has(FORM);
  }

  private boolean has(String place) {
    return values.entrySet().stream()
        .anyMatch(each -> each.getKey().startsWith(place) && !each.getValue().isEmpty());
  }
}
