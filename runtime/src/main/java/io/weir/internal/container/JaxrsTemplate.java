package io.weir.internal.container;

import jakarta.ws.rs.Path;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Names the endpoints of JAX-RS resources by the paths in their annotations: decoded, without
 * regular expressions and trailing slash.
 *
 * <p>Nothing keeps state.
 */
public final class JaxrsTemplate {
  private JaxrsTemplate() {}

  /**
   * Returns the template of a method: the path of its class and its own. A method of a
   * sub-resource, whose class has no path, is named by class and method, such as {@code
   * Comments#read}: its path isn't known before a request.
   */
  public static String of(Class<?> type, Method method) {
    @Nullable String ofType = path(type);
    if (ofType == null) {
      return type.getSimpleName() + "#" + method.getName();
    }
    @Nullable String ofMethod = path(type, method);
    return joined(ofType, ofMethod == null ? "" : ofMethod);
  }

  private static @Nullable String path(@Nullable Class<?> type) {
    if (type == null || type.isAnnotationPresent(Path.class)) {
      return own(type);
    }
    @Nullable String inherited = path(type.getSuperclass());
    for (Class<?> each : type.getInterfaces()) {
      inherited = inherited == null ? path(each) : inherited;
    }
    return inherited;
  }

  private static @Nullable String path(@Nullable Class<?> type, Method method) {
    if (type == null) {
      return null;
    }
    @Nullable String found =
        Arrays.stream(type.getDeclaredMethods())
            .filter(each -> each.getName().equals(method.getName()))
            .filter(each -> Arrays.equals(each.getParameterTypes(), method.getParameterTypes()))
            .filter(each -> each.isAnnotationPresent(Path.class))
            .map(each -> each.getAnnotation(Path.class).value())
            .findFirst()
            .orElse(null);
    found = found == null ? path(type.getSuperclass(), method) : found;
    for (Class<?> each : type.getInterfaces()) {
      found = found == null ? path(each, method) : found;
    }
    return found;
  }

  private static @Nullable String own(@Nullable AnnotatedElement element) {
    @Nullable Path path = element == null ? null : element.getAnnotation(Path.class);
    return path == null ? null : path.value();
  }

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
