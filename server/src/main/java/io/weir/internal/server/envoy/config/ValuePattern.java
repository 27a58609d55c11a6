package io.weir.internal.server.envoy.config;

import java.util.List;

/**
 * Matches values against one with asterisks, each of which stands for any text, also for none.
 * Immutable.
 *
 * @param parts the texts between the asterisks, at least two
 */
record ValuePattern(List<String> parts) {
  ValuePattern {
    parts = List.copyOf(parts);
  }

  /** Reads a value with at least one asterisk. */
  static ValuePattern of(String value) {
    return new ValuePattern(List.of(value.split("\\*", -1)));
  }

  /** Whether a value begins and ends as it must, with the other parts between in their order. */
  boolean matches(String value) {
    String first = parts.get(0);
    String last = parts.get(parts.size() - 1);
    if (!value.startsWith(first)) {
      return false;
    }
    int at = first.length();
    for (int i = 1; i < parts.size() - 1; i++) {
      // The earliest place leaves most for the parts that follow.
      int found = value.indexOf(parts.get(i), at);
      if (found < 0) {
        return false;
      }
      at = found + parts.get(i).length();
    }
    return value.length() - last.length() >= at && value.endsWith(last);
  }
}
