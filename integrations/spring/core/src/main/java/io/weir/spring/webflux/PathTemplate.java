package io.weir.spring.webflux;

/**
 * Turns patterns of WebFlux into names of endpoints: without regular expressions and trailing
 * slash, such as {@code /posts/{id}} for <code>/posts/{id:\d+}</code>.
 */
final class PathTemplate {
  private PathTemplate() {}

  static String of(String pattern) {
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
