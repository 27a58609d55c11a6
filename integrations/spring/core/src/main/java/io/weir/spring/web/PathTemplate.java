package io.weir.spring.web;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Turns patterns of Spring MVC into names of endpoints: without regular expressions and trailing
 * slash, such as {@code /posts/{id}} for <code>/posts/{id:\d+}</code>.
 *
 * <p>Safe for concurrent use.
 */
final class PathTemplate {
  /**
   * Enough for all patterns of an application; a mapping may also report paths that callers send.
   */
  private static final int MAX_KNOWN = 10_000;

  private final ConcurrentMap<String, String> known = new ConcurrentHashMap<>();

  String of(String pattern) {
    String found = known.get(pattern);
    if (found == null) {
      found = plain(pattern);
      if (known.size() < MAX_KNOWN) {
        known.put(pattern, found);
      }
    }
    return found;
  }

  private static String plain(String pattern) {
    StringBuilder plain = new StringBuilder(pattern.length() + 1);
    if (!pattern.startsWith("/")) {
      plain.append('/');
    }
    int depth = 0;
    boolean inExpression = false;
    for (int i = 0; i < pattern.length(); i++) {
      char each = pattern.charAt(i);
      if (each == '\\' && inExpression && i + 1 < pattern.length()) {
        i++; // an escaped brace doesn't count
        continue;
      }
      depth += each == '{' ? 1 : 0;
      inExpression = depth > 0 && (inExpression || each == ':');
      boolean closes = each == '}' && depth == 1;
      depth -= each == '}' ? 1 : 0;
      if (closes || !inExpression) {
        plain.append(each);
      }
      inExpression = inExpression && depth > 0;
    }
    int length = plain.length();
    return length > 1 && plain.charAt(length - 1) == '/'
        ? plain.substring(0, length - 1)
        : plain.toString();
  }
}
