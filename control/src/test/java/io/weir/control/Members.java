package io.weir.control;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes the objects of a JSON document, whose members stay in the order in which they are given.
 */
final class Members {
  private Members() {}

  /** Takes names and values by turns. */
  static Map<String, Object> of(Object... namesAndValues) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return all;
  }
}
