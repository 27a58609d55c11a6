package io.weir.quarkus.rest;

import org.jspecify.annotations.Nullable;

/** Turns the paths of resources into names of endpoints. */
final class PathTemplate {
  private PathTemplate() {}

  /**
   * Joins the path of a class and that of its method, without regular expressions and a slash at
   * the end.
   *
   * @return such as {@code /posts/{id}}
   */
  static String of(@Nullable String ofClass, @Nullable String ofMethod) {
    String all = (ofClass == null ? "" : ofClass) + "/" + (ofMethod == null ? "" : ofMethod);
    StringBuilder joined = new StringBuilder();
    for (String segment : plain(all).split("/")) {
      if (!segment.isEmpty()) {
        joined.append('/').append(segment);
      }
    }
    return joined.isEmpty() ? "/" : joined.toString();
  }

  /** Removes the expressions of variables, which may contain braces, but not their names. */
  private static String plain(String template) {
    StringBuilder plain = new StringBuilder();
    int depth = 0;
    boolean inExpression = false;
    for (int i = 0; i < template.length(); i++) {
      char each = template.charAt(i);
      depth += each == '{' ? 1 : 0;
      inExpression = depth > 0 && (inExpression || each == ':');
      boolean closes = each == '}' && depth == 1;
      depth -= each == '}' ? 1 : 0;
      if (closes || !inExpression && !(depth > 0 && Character.isWhitespace(each))) {
        plain.append(each);
      }
      inExpression = inExpression && depth > 0;
    }
    return plain.toString();
  }
}
