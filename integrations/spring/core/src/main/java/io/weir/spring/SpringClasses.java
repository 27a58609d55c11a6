package io.weir.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Distinguishes Spring's own classes, which nothing limits, from those of applications in packages
 * below {@code org.springframework}, such as Spring's samples.
 *
 * <p>Safe for concurrent use.
 */
public final class SpringClasses {
  private static final String SPRING = "org.springframework.";

  private SpringClasses() {}

  /** Finds a class that may be absent. */
  static @Nullable Class<?> find(String className) {
    try {
      return ClassUtils.forName(className, SpringClasses.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError absent) {
      return null;
    }
  }

  /**
   * Returns whether a name is that of a class of Spring's.
   *
   * @param className the full name of a class
   * @return false also for samples: one of their packages is named {@code sample} or {@code
   *     samples}
   */
  public static boolean isOfSpring(String className) {
    return className.startsWith(SPRING)
        && !className.contains(".samples.")
        && !className.contains(".sample.");
  }

  /**
   * Returns whether a class is Spring's own.
   *
   * @param type a class as it is written
   * @return false also for a class that carries or inherits a limit, whatever its package
   */
  public static boolean isOfSpring(Class<?> type) {
    return isOfSpring(type.getName()) && !LimitedTypes.carryLimit(type);
  }
}
