package io.weir.jaxrs;

import io.weir.internal.container.JaxrsTemplate;
import jakarta.ws.rs.Path;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
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
      known = read();
      text = known;
    }
    return known;
  }

  private String read() {
    @Nullable String ofType = path(type);
    if (ofType == null) {
      return type.getSimpleName() + "#" + method.getName();
    }
    @Nullable String ofMethod = path(type, method);
    return JaxrsTemplate.joined(ofType, ofMethod == null ? "" : ofMethod);
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
}
