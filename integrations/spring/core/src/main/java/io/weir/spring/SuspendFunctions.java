package io.weir.spring;

import io.weir.internal.container.HandlerClass;
import java.lang.reflect.Method;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/**
 * Determines which of Kotlin's suspend functions Spring can call.
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
   * Returns whether Spring can call a method as a suspend function.
   *
   * @param method any method
   * @return true if it is one, written in Kotlin, and {@link #areCallable()}
   */
  public static boolean canCall(Method method) {
    return CALLABLE
        && KotlinDetector.isKotlinType(method.getDeclaringClass())
        && HandlerClass.isSuspendFunction(method);
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
