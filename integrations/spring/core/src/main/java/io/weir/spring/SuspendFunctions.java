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
  private static final boolean HAS_REACTOR =
      ClassUtils.isPresent(
          "kotlinx.coroutines.reactor.MonoKt", SuspendFunctions.class.getClassLoader());

  private static final boolean CALLABLE = KotlinDetector.isKotlinReflectPresent() && HAS_REACTOR;

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

  /**
   * Returns whether Spring can see the end of a method's result.
   *
   * @param method any method
   * @return false if it returns a flow and {@code kotlinx-coroutines-reactor} is missing
   */
  public static boolean canWatch(Method method) {
    return HAS_REACTOR || !method.getReturnType().getName().equals("kotlinx.coroutines.flow.Flow");
  }
}
