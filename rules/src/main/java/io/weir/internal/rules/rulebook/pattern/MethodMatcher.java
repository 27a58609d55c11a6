package io.weir.internal.rules.rulebook.pattern;

import java.util.Set;
import java.util.regex.Pattern;

/** Matches HTTP methods as rules and costs name them. */
public final class MethodMatcher {
  private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z0-9_-]{0,31}");

  private MethodMatcher() {}

  public static boolean isMethod(String text) {
    return METHOD.matcher(text).matches();
  }

  /**
   * Returns whether a request's method is the one that is named; {@code GET} names {@code HEAD}
   * too.
   */
  public static boolean matches(String named, String method) {
    return named.equals(method) || named.equals("GET") && method.equals("HEAD");
  }

  /** Returns whether one of some methods matches; an empty set means all. */
  public static boolean matches(Set<String> named, String method) {
    return named.isEmpty()
        || named.contains(method)
        || method.equals("HEAD") && named.contains("GET");
  }
}
