package io.weir.cdi;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.lang.model.declarations.MethodInfo;
import jakarta.enterprise.lang.model.types.Type;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundConstruct;
import jakarta.interceptor.AroundInvoke;
import java.lang.annotation.Annotation;
import java.util.List;

/** Recognizes methods that the container calls itself, or that every object has. */
final class ContainerMethods {
  /** Annotations of methods whose calls by the container pass no interceptor. */
  private static final List<Class<? extends Annotation>> CALLBACKS =
      List.of(
          PostConstruct.class,
          PreDestroy.class,
          Inject.class,
          AroundInvoke.class,
          AroundConstruct.class);

  private ContainerMethods() {}

  /** Returns whether the limit of a class leaves out a method. */
  static boolean isCalledByContainer(MethodInfo method) {
    return isCallback(method) || isProducer(method) || isOfObject(method) || isSetter(method);
  }

  /** Returns whether the container calls a method of the life cycle, without interceptors. */
  static boolean isCallback(MethodInfo method) {
    return CALLBACKS.stream().anyMatch(method::hasAnnotation);
  }

  /** Returns whether a method makes beans or disposes of them. */
  static boolean isProducer(MethodInfo method) {
    return method.hasAnnotation(Produces.class)
        || method.parameters().stream().anyMatch(each -> each.hasAnnotation(Disposes.class));
  }

  private static boolean isOfObject(MethodInfo method) {
    return switch (method.name()) {
      case "hashCode", "toString" -> method.parameters().isEmpty();
      case "equals" -> Erasure.of(method).equals("equals(java.lang.Object)");
      default -> false;
    };
  }

  private static boolean isSetter(MethodInfo method) {
    Type result = method.returnType();
    return result.isVoid()
        && method.parameters().size() == 1
        && method.name().matches("set\\p{Lu}.*");
  }
}
