package io.weir.spring.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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

  private static boolean isNamed(String pair, String name) {
    int equals = pair.indexOf('=');
    return decode(equals < 0 ? pair : pair.substring(0, equals)).filter(name::equals).isPresent();
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
