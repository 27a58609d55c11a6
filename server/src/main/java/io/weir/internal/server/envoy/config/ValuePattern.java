package io.weir.internal.server.envoy.config;

import java.util.List;

/**
 * Matches values against a pattern with asterisks, each of which stands for any text, also an empty
 * one. Immutable.
 *
 * @param parts the texts between the asterisks, at least two
 */
record ValuePattern(List<String> parts) {
  ValuePattern {
    parts = List.copyOf(parts);
  }

  /** Parses a value with at least one asterisk. */
  static ValuePattern of(String value) {
    return new ValuePattern(List.of(value.split("\\*", -1)));
  }

  /**
   * Returns whether a value starts and ends as the pattern, with the other parts in order between.
   */
  boolean matches(String value) {
    String first = parts.get(0);
    String last = parts.get(parts.size() - 1);
    if (!value.startsWith(first)) {
      return false;
    }
    int at = first.length();
    for (int i = 1; i < parts.size() - 1; i++) {
      // The first occurrence leaves the most text for the parts that follow.
      int found = value.indexOf(parts.get(i), at);
      if (found < 0) {
        return false;
      }
      at = found + parts.get(i).length();
    }
    return value.length() - last.length() >= at && value.endsWith(last);
  }
}
