package io.weir.micronaut;

/**
 * Names the path of a route as rules match it: without regular expressions, modifiers and query.
 */
final class RouteTemplate {
  private RouteTemplate() {}

  /**
   * Turns {@code /posts/{id:[0-9]+}/{?page}} into {@code /posts/{id}}.
   *
   * @param path the path of a template as Micronaut writes it
   */
  static String of(String path) {
    StringBuilder plain = new StringBuilder();
    int depth = 0;
    boolean named = false;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '{') {
        if (depth++ == 0) {
          plain.append(c);
          named = true;
        }
      } else if (c == '}') {
        if (--depth == 0) {
          plain.append(c);
        }
      } else if (depth == 0) {
        plain.append(c);
      } else if (c == ':' || c == '*' || c == ',') {
        named = false; // a length or an expression follows
      } else if (named && Character.isJavaIdentifierPart(c) || c == '-' && named) {
        plain.append(c);
      }
    }
    int length = plain.length();
    return length > 1 && plain.charAt(length - 1) == '/'
        ? plain.substring(0, length - 1)
        : plain.toString();
  }
}
