package io.weir.jaxrs;

import io.weir.internal.container.JaxrsTemplate;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A resource method and the template of its path, such as {@code /posts/{id}}: the path of its
 * class and its own, without regular expressions and trailing slash. A method of a sub-resource,
 * whose class has no path, is named by class and method, such as {@code Comments#read}: its path
 * isn't known before a request.
 *
 * <p>Safe for concurrent use.
 */
final class ResourceTemplate {
  private final Class<?> type;
  private final Method method;
  private volatile @Nullable String text;

  ResourceTemplate(Class<?> type, Method method) {
    this.type = type;
    this.method = method;
  }

  Method method() {
    return method;
  }

  /**
   * Returns the template, read on first use: applications may have many methods and never use it.
   */
  String text() {
    String known = text;
    if (known == null) {
      known = JaxrsTemplate.of(type, method);
      text = known;
    }
    return known;
  }
}
