package io.weir.spring;

import io.weir.annotation.RateLimit;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Finds the classes that carry a limit, and distinguishes Spring's own classes, which nothing
 * limits, from those of applications in packages below {@code org.springframework}, such as
 * Spring's samples.
 *
 * <p>Safe for concurrent use.
 */
public final class SpringClasses {
  private static final Logger LOG = System.getLogger("io.weir.spring");
  private static final String SPRING = "org.springframework.";

  /** By class, without keeping it in memory. */
  private static final ClassValue<Boolean> LIMITED =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return carriesLimit(type);
        }
      };

  private SpringClasses() {}

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
    return isOfSpring(type.getName()) && !LIMITED.get(type);
  }

  /**
   * Returns whether a class, one of its methods or what it inherits carries a limit. A class whose
   * methods can't be read, since types that they name are missing, counts by its own annotations.
   *
   * @param type a class as it is written
   */
  static boolean carriesLimit(Class<?> type) {
    try {
      return isLimit(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY))
          || family(type).stream().anyMatch(SpringClasses::declaresLimit);
    } catch (LinkageError | IllegalStateException | TypeNotPresentException unreadable) {
      LOG.log(Level.DEBUG, () -> type.getName() + " can't be read for limits", unreadable);
      return false;
    }
  }

  /** Returns a class, its superclasses but {@code Object}, and all their interfaces. */
  static Set<Class<?>> family(Class<?> type) {
    Set<Class<?>> family = new LinkedHashSet<>(ClassUtils.getAllInterfacesForClassAsSet(type));
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      family.add(each);
    }
    return family;
  }

  private static boolean declaresLimit(Class<?> type) {
    for (Method each : type.getDeclaredMethods()) {
      // Most methods have no annotation, and need no place in Spring's caches.
      if (each.getDeclaredAnnotations().length > 0 && isLimit(MergedAnnotations.from(each))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLimit(MergedAnnotations found) {
    return found.isPresent(RateLimit.class);
  }
}
