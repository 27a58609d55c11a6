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
 * Finds the classes that carry a limit, and where they may have it from.
 *
 * <p>Safe for concurrent use.
 */
final class LimitedTypes {
  private static final Logger LOG = System.getLogger("io.weir.spring");

  /** By class, without keeping it in memory. */
  private static final ClassValue<Boolean> FOUND =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return find(type);
        }
      };

  private LimitedTypes() {}

  /**
   * Returns whether a class, one of its methods or what it inherits carries a limit. A class whose
   * methods can't be read, since types that they name are missing, counts by its own annotations.
   *
   * @param type a class as it is written
   */
  static boolean carryLimit(Class<?> type) {
    return FOUND.get(type);
  }

  private static boolean find(Class<?> type) {
    try {
      return isLimit(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY))
          || family(type).stream().anyMatch(LimitedTypes::declaresLimit);
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
