package io.weir.aspectj;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells endpoints of web classes from their other methods: a class's limit is for its endpoints,
 * not for a setter or {@code init} that the container calls. APIs are known by name, since both are
 * optional.
 */
final class WebEndpointCheck {
  private static final String SERVLET = "jakarta.servlet.Servlet";
  private static final String PATH = "jakarta.ws.rs.Path";
  private static final String HTTP_METHOD = "jakarta.ws.rs.HttpMethod";

  private WebEndpointCheck() {}

  /** True for every method of a class that is nothing of the web. */
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

  /** None where Java can't read them, since one of them mentions a class that is missing. */
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

  /** The class, its superclasses and all their interfaces. */
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
