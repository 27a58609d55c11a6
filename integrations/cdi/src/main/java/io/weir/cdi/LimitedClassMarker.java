package io.weir.cdi;

import io.weir.internal.container.AnnotatedLimits;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Marks classes that carry or inherit limits, for {@link RateLimitExtension}, where the container
 * has portable extensions. A build-compatible one could only ask to change all classes of the
 * application. Weld makes a copy of each class that is to be changed, which costs time and memory
 * and fails for some.
 *
 * <p>Found as a service. Safe for concurrent use.
 */
public final class LimitedClassMarker implements Extension {
  private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

  /** Called by the container. */
  public LimitedClassMarker() {}

  <T> void mark(@Observes @Priority(0) ProcessAnnotatedType<T> found) {
    Class<T> type = found.getAnnotatedType().getJavaClass();
    if (!type.isInterface() && carriesOrInheritsLimit(type)) {
      found.configureAnnotatedType().add(new HasLimits.Literal());
    }
  }

  private static Stream<Class<?>> parents(Class<?> type) {
    return Stream.concat(
        Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()));
  }

  /** Returns whether a class or what it extends or implements carries a limit. */
  private boolean carriesOrInheritsLimit(Class<?> type) {
    Boolean found = known.get(type);
    if (found == null) {
      found =
          !type.getName().startsWith("java.")
              && (carriesLimit(type) || parents(type).anyMatch(this::carriesOrInheritsLimit));
      known.put(type, found);
    }
    return found;
  }

  private static boolean carriesLimit(Class<?> type) {
    try {
      return AnnotatedLimits.areOn(type)
          || Arrays.stream(type.getDeclaredMethods()).anyMatch(AnnotatedLimits::areOn);
    } catch (RuntimeException | LinkageError unreadable) {
      return false; // then the container can't read it either
    }
  }
}
