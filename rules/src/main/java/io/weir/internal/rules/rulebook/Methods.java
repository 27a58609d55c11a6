package io.weir.internal.rules.rulebook;

import java.util.Set;
import java.util.regex.Pattern;

/** HTTP methods as rules and costs name them. */
final class Methods {
  private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z0-9_-]{0,31}");

  private Methods() {}

  static boolean isMethod(String text) {
    return METHOD.matcher(text).matches();
  }

  /** Whether a request's method is the one that is named; {@code GET} names {@code HEAD} too. */
  static boolean matches(String named, String method) {
    return named.equals(method) || named.equals("GET") && method.equals("HEAD");
  }

  /** The same of several; none means all. */
  static boolean matches(Set<String> named, String method) {
    return named.isEmpty()
        || named.contains(method)
        || method.equals("HEAD") && named.contains("GET");
  }
}
