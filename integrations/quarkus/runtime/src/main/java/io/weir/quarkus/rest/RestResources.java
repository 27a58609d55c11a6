package io.weir.quarkus.rest;

import io.weir.internal.container.JaxrsTemplate;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jboss.resteasy.reactive.common.model.MethodParameter;
import org.jboss.resteasy.reactive.common.model.ResourceClass;
import org.jboss.resteasy.reactive.server.model.ServerResourceMethod;

/** Finds the classes and methods that Quarkus REST describes by their names. */
final class RestResources {
  private RestResources() {}

  /**
   * Finds the class and the method of a resource.
   *
   * @param resource the class that serves; without a path that of a sub-resource
   */
  static LimitedResource of(ResourceClass resource, ServerResourceMethod method) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    Class<?> type = load(resource.getClassName(), loader);
    List<String> parameters =
        Arrays.stream(method.getParameters()).map(RestResources::written).toList();
    return new LimitedResource(
        type,
        find(type, method.getName(), parameters),
        resource.getPath() == null
            ? type.getSimpleName() + "#" + method.getName()
            : JaxrsTemplate.joined(
                resource.getPath(), Objects.requireNonNullElse(method.getPath(), "")),
        method.getHttpMethod(),
        method.getConsumes(),
        method.getProduces());
  }

  private static String written(MethodParameter parameter) {
    return parameter.declaredUnresolvedType;
  }

  private static Class<?> load(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException missing) {
      throw new IllegalStateException("Quarkus REST serves a class that is missing", missing);
    }
  }

  private static Method find(Class<?> type, String name, List<String> parameters) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        if (is(method, name, parameters)) {
          return method;
        }
      }
    }
    return Arrays.stream(type.getMethods()) // default methods of interfaces
        .filter(method -> is(method, name, parameters))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(type.getName() + " has no method " + name + parameters));
  }

  private static boolean is(Method method, String name, List<String> parameters) {
    return method.getName().equals(name)
        && !method.isBridge()
        && Arrays.stream(method.getParameterTypes())
            .map(Class::getName)
            .toList()
            .equals(parameters);
  }
}
