package io.weir.internal.container;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Determines what could limit the endpoints of a class: JAX-RS, which is known by name since it is
 * optional, or woven code; and what calls of a method are like.
 */
public final class HandlerClass {
  private static final String PATH = "jakarta.ws.rs.Path";
  private static final String HTTP_METHOD = "jakarta.ws.rs.HttpMethod";

  /** AspectJ moves the body of a method that it advises to one whose name contains this. */
  private static final String WOVEN = "_aroundBody";

  private HandlerClass() {}

  /** Returns whether a class, a superclass or an interface has a path of JAX-RS. */
  public static boolean isRootResource(Class<?> type) {
    return anyInFamily(type, each -> carries(each.getDeclaredAnnotations(), PATH));
  }

  /** Returns whether JAX-RS calls methods of a class: of root resources and of sub-resources. */
  public static boolean isResource(Class<?> type) {
    return isRootResource(type)
        || anyInFamily(
            type, each -> Arrays.stream(methods(each)).anyMatch(HandlerClass::isDesignated));
  }

  /**
   * Checks a class, its superclasses and all their interfaces.
   *
   * @param check stops at the first for which it is true
   */
  public static boolean anyInFamily(Class<?> type, Predicate<Class<?>> check) {
    @Nullable Class<?> parent = type.getSuperclass();
    return check.test(type)
        || parent != null && anyInFamily(parent, check)
        || Arrays.stream(type.getInterfaces()).anyMatch(each -> anyInFamily(each, check));
  }

  /**
   * Checks a method, and those that it overrides or implements.
   *
   * @param check stops at the first for which it is true
   */
  public static boolean anyInFamily(Class<?> type, Method method, Predicate<Method> check) {
    return anyInFamily(
        type,
        each ->
            Arrays.stream(methods(each))
                .filter(other -> other.getName().equals(method.getName()))
                .filter(
                    other -> Arrays.equals(other.getParameterTypes(), method.getParameterTypes()))
                .anyMatch(check));
  }

  /** Returns whether a method is annotated for a method of HTTP, as JAX-RS has it. */
  public static boolean isDesignated(Method method) {
    return Arrays.stream(method.getDeclaredAnnotations())
        .anyMatch(each -> carries(each.annotationType().getDeclaredAnnotations(), HTTP_METHOD));
  }

  private static boolean carries(Annotation[] annotations, String name) {
    return Arrays.stream(annotations)
        .anyMatch(each -> each.annotationType().getName().equals(name));
  }

  /**
   * Returns whether AspectJ has woven an advice into any method of a class.
   *
   * @return true if the class itself declares a woven method
   */
  public static boolean isWoven(Class<?> type) {
    return Arrays.stream(methods(type)).anyMatch(each -> each.getName().contains(WOVEN));
  }

  /** Returns whether AspectJ has woven an advice into a method. */
  public static boolean isWoven(Method method) {
    return Arrays.stream(methods(method.getDeclaringClass()))
        .anyMatch(each -> each.getName().startsWith(method.getName() + WOVEN));
  }

  /**
   * Returns whether a method is a suspend function of Kotlin, which returns before it ends, and is
   * called again each time that it goes on.
   */
  public static boolean isSuspendFunction(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    return parameters.length > 0
        && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
  }

  /** Reads the methods of a class itself; none if they mention a missing class. */
  public static Method[] methods(Class<?> type) {
    try {
      return type.getDeclaredMethods();
    } catch (LinkageError missing) {
      return new Method[0];
    }
  }
}
