package io.weir.cdi;

import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import io.weir.annotation.Unlimited;
import jakarta.enterprise.lang.model.AnnotationInfo;
import jakarta.enterprise.lang.model.AnnotationTarget;
import jakarta.enterprise.lang.model.declarations.ClassInfo;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Finds annotations of Weir on a class or method, its own and those that annotations on it are
 * composed of.
 */
enum Marks {
  NONE,
  LIMIT,
  UNLIMITED;

  private static final Set<String> LIMITS =
      Set.of(RateLimit.class.getName(), RateLimits.class.getName());

  /** Reads an element, without what it inherits. An exemption overrides limits beside it. */
  static Marks of(AnnotationTarget element) {
    return of(element.annotations(), new HashSet<>());
  }

  private static Marks of(Collection<AnnotationInfo> annotations, Set<String> seen) {
    Marks found = NONE;
    for (AnnotationInfo each : annotations) {
      String name = each.name();
      if (name.equals(Unlimited.class.getName())) {
        return UNLIMITED;
      }
      Marks one = LIMITS.contains(name) ? LIMIT : ofComposed(each, name, seen);
      if (one.compareTo(found) > 0) {
        found = one;
      }
    }
    return found;
  }

  private static Marks ofComposed(AnnotationInfo annotation, String name, Set<String> seen) {
    boolean ofPlatform = name.startsWith("java.") || name.startsWith("jakarta.");
    return ofPlatform || !seen.add(name)
        ? NONE
        : declaration(annotation).map(each -> of(each.annotations(), seen)).orElse(NONE);
  }

  /**
   * Returns the class of an annotation; empty if it can't be read, as that of a library that the
   * application hasn't at run time.
   */
  static Optional<ClassInfo> declaration(AnnotationInfo annotation) {
    try {
      return Optional.of(annotation.declaration());
    } catch (RuntimeException | LinkageError unreadable) {
      return Optional.empty();
    }
  }
}
