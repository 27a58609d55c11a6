package io.weir.quarkus.grpc;

import java.util.Map;
import java.util.Optional;

/**
 * Lists the services of an application, as its build has found them.
 *
 * <p>Immutable.
 */
public final class GrpcServices {
  private final Map<String, String> annotated;

  /** Called by the recorder. */
  GrpcServices(Map<String, String> annotated) {
    this.annotated = Map.copyOf(annotated);
  }

  /**
   * Finds the class that carries the annotations of a service.
   *
   * @param bound the class of the bean that Quarkus binds, which may be generated
   * @return empty for a service of Quarkus itself, such as health
   * @throws IllegalStateException if the class can't be loaded
   */
  Optional<Class<?>> annotatedClass(Class<?> bound) {
    return Optional.ofNullable(annotated.get(bound.getName())).map(GrpcServices::load);
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException absent) {
      throw new IllegalStateException(name + " is a gRPC service, but can't be loaded", absent);
    }
  }
}
