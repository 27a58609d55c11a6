package io.weir.spring;

import java.lang.reflect.Method;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/**
 * Recognizes Kotlin's suspend functions, which return before they end, and are called again to go
 * on.
 *
 * <p>Safe for concurrent use.
 */
public final class SuspendFunctions {
  private static final boolean CALLABLE =
      KotlinDetector.isKotlinReflectPresent()
          && ClassUtils.isPresent(
              "kotlinx.coroutines.reactor.MonoKt", SuspendFunctions.class.getClassLoader());

  private SuspendFunctions() {}

  /**
   * Returns whether a method is a suspend function.
   *
   * @param method any method
   * @return true if its last parameter is a continuation
   */
  public static boolean include(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    return parameters.length > 0
        && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
  }

  /**
   * Returns whether Spring can call a method as a suspend function.
   *
   * @param method any method
   * @return true if it is one, written in Kotlin, and {@link #areCallable()}
   */
  public static boolean canCall(Method method) {
    return CALLABLE && KotlinDetector.isKotlinType(method.getDeclaringClass()) && include(method);
  }

  /**
   * Returns whether Spring can call suspend functions.
   *
   * @return true if {@code kotlinx-coroutines-reactor} and {@code kotlin-reflect} are present
   */
  public static boolean areCallable() {
    return CALLABLE;
  }
}
