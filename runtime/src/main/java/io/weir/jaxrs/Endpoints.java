package io.weir.jaxrs;

import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Configuration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which classes and methods of an application are endpoints. */
final class Endpoints {
  private Endpoints() {}

  /** The root resources that are known before the first request. */
  static List<Class<?>> known(Configuration configuration) {
    Stream<Class<?>> ofInstances = configuration.getInstances().stream().map(Object::getClass);
    return Stream.concat(configuration.getClasses().stream(), ofInstances)
        .filter(Endpoints::isResource)
        .distinct()
        .toList();
  }

  private static boolean isResource(@Nullable Class<?> type) {
    return type != null
        && (type.isAnnotationPresent(Path.class)
            || isResource(type.getSuperclass())
            || Arrays.stream(type.getInterfaces()).anyMatch(Endpoints::isResource));
  }

  /** Not what Jersey itself answers: OPTIONS and WADL. Nor a lambda, which has no name. */
  static boolean isEndpoint(ResourceInfo resource) {
    Class<?> type = resource.getResourceClass();
    return type != null
        && resource.getResourceMethod() != null
        && !type.isHidden()
        && !type.getPackageName().startsWith("org.glassfish.jersey.server");
  }
}
