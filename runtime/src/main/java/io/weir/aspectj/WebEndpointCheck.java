package io.weir.aspectj;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the limit of a class applies to a method: in a JAX-RS resource only to endpoints,
 * not to a setter that the container calls. The web APIs are known by name, since they are
 * optional.
 */
final class WebEndpointCheck {
  private static final String SERVLET = "jakarta.servlet.Servlet";
  private static final String PATH = "jakarta.ws.rs.Path";
  private static final String HTTP_METHOD = "jakarta.ws.rs.HttpMethod";

  private WebEndpointCheck() {}

  /**
   * Returns whether a method is an endpoint. True for all methods of classes without web APIs,
   * false for all methods of servlets, which the servlet filter limits.
   */
  static boolean isEndpoint(Class<?> type, Method method) {
    Set<Class<?>> family = family(type);
    if (family.stream().anyMatch(each -> each.getName().equals(SERVLET))) {
      return false;
    }
    boolean resource = family.stream().anyMatch(WebEndpointCheck::isResource);
    return !resource || family.stream().anyMatch(each -> answers(each, method));
  }

  private static boolean isResource(Class<?> type) {
    return carries(type.getAnnotations(), PATH)
        || Arrays.stream(declared(type)).anyMatch(WebEndpointCheck::isDesignated);
  }

  private static boolean answers(Class<?> type, Method method) {
    return Arrays.stream(declared(type))
        .filter(each -> each.getName().equals(method.getName()))
        .filter(each -> Arrays.equals(each.getParameterTypes(), method.getParameterTypes()))
        .anyMatch(WebEndpointCheck::isDesignated);
  }

  /** Returns the methods of a class; none if they mention a missing class. */
  static Method[] declared(Class<?> type) {
    try {
      return type.getDeclaredMethods();
    } catch (LinkageError missing) {
      return new Method[0];
    }
  }

  private static boolean isDesignated(Method method) {
    return Arrays.stream(method.getAnnotations())
        .map(Annotation::annotationType)
        .anyMatch(each -> carries(each.getAnnotations(), HTTP_METHOD));
  }

  private static boolean carries(Annotation[] annotations, String name) {
    return Arrays.stream(annotations)
        .anyMatch(each -> each.annotationType().getName().equals(name));
  }

  /** Returns the class, its superclasses and all their interfaces. */
  private static Set<Class<?>> family(Class<?> type) {
    Set<Class<?>> family = new LinkedHashSet<>();
    for (@Nullable Class<?> each = type; each != null; each = each.getSuperclass()) {
      collect(each, family);
    }
    return family;
  }

  private static void collect(Class<?> type, Set<Class<?>> family) {
    if (family.add(type)) {
      Stream.of(type.getInterfaces()).forEach(each -> collect(each, family));
    }
  }
}
