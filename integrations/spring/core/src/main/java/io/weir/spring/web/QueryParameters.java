package io.weir.spring.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the parameters of a query as it was sent: the container would also read the body of a form.
 *
 * <p>Ignores parameters with malformed escapes, so that they cause no error, and different
 * malformed spellings don't count as different callers.
 */
final class QueryParameters {
  private QueryParameters() {}

  /** Finds the first value of a parameter that can be decoded. */
  static Optional<String> find(String query, String name) {
    for (String pair : query.split("&")) {
      if (isNamed(pair, name)) {
        Optional<String> value = decode(rawValue(pair));
        if (value.isPresent()) {
          return value;
        }
      }
    }
    return Optional.empty();
  }

  /** Finds all values of a parameter; values that can't be decoded are returned as sent. */
  static List<String> findAll(String query, String name) {
    List<String> values = new ArrayList<>(1);
    for (String pair : query.split("&")) {
      if (isNamed(pair, name)) {
        String raw = rawValue(pair);
        values.add(decode(raw).orElse(raw));
      }
    }
    return values;
  }

  /** Reads all parameters, as a request has them, but for those whose name can't be decoded. */
  static Map<String, String[]> all(String query) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String pair : query.split("&")) {
      Optional<String> name = pair.isEmpty() ? Optional.empty() : name(pair);
      if (name.isPresent()) {
        String raw = rawValue(pair);
        values.computeIfAbsent(name.get(), any -> new ArrayList<>(1)).add(decode(raw).orElse(raw));
      }
    }
    Map<String, String[]> arrays = new LinkedHashMap<>();
    values.forEach((name, each) -> arrays.put(name, each.toArray(String[]::new)));
    return arrays;
  }

  private static boolean isNamed(String pair, String name) {
    return name(pair).filter(name::equals).isPresent();
  }

  private static Optional<String> name(String pair) {
    int equals = pair.indexOf('=');
    return decode(equals < 0 ? pair : pair.substring(0, equals));
  }

  private static String rawValue(String pair) {
    int equals = pair.indexOf('=');
    return equals < 0 ? "" : pair.substring(equals + 1);
  }

  private static Optional<String> decode(String text) {
    try {
      return Optional.of(URLDecoder.decode(text, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}
