package io.weir.internal.container;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Names the endpoints of JAX-RS resources by the paths in their annotations: decoded, without
 * regular expressions and trailing slash.
 *
 * <p>Nothing keeps state.
 */
public final class JaxrsTemplate {
  private JaxrsTemplate() {}

  /**
   * Joins two templates, with a single slash before each segment.
   *
   * @param first the path of a class, encoded or not
   * @param second that of its method; may be empty
   * @return such as {@code /posts/{id}}; a slash if both are empty
   */
  public static String joined(String first, String second) {
    StringBuilder all = new StringBuilder();
    for (String segment : plain(first + "/" + second).split("/")) {
      if (!segment.isEmpty()) {
        all.append('/').append(decoded(segment));
      }
    }
    return all.isEmpty() ? "/" : all.toString();
  }

  /** Decodes a segment: paths may be written encoded or not, names of endpoints are decoded. */
  private static String decoded(String segment) {
    if (segment.indexOf('%') < 0 || segment.indexOf('{') >= 0) {
      return segment;
    }
    try {
      String text = URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
      return text.chars().anyMatch(letter -> "/{}\ufffd".indexOf(letter) >= 0) ? segment : text;
    } catch (IllegalArgumentException notEncoded) {
      return segment;
    }
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
