package io.weir.servlet;

import io.weir.annotation.RateLimit;
import jakarta.servlet.ServletContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes of an application's servlets. An embedded container may be given a servlet
 * object whose class its own loaders can't find, so all candidates are asked: the application's
 * loader, the one under which the filter was made, those of Weir, the container's.
 *
 * <p>Immutable.
 */
final class ServletClassFinder {
  private final List<ClassLoader> loaders = new ArrayList<>();

  /**
   * Asks these loaders and the container's.
   *
   * @param first those of the application, the nearest first
   */
  ServletClassFinder(List<Optional<ClassLoader>> first, ServletContext context) {
    first.forEach(each -> each.ifPresent(loaders::add));
    add(context.getClassLoader());
    add(ServletClassFinder.class.getClassLoader());
    add(context.getClass().getClassLoader());
  }

  private void add(@Nullable ClassLoader loader) {
    if (loader != null) {
      loaders.add(loader);
    }
  }

  /**
   * Finds a class, a copy of it that may carry this Weir's annotations before any other.
   *
   * @throws ClassNotFoundException if no loader leads to it
   */
  Class<?> find(String name) throws ClassNotFoundException {
    Optional<Class<?>> other = Optional.empty();
    ClassNotFoundException unseen = new ClassNotFoundException(name);
    for (ClassLoader each : loaders) {
      try {
        Class<?> found = Class.forName(name, false, each);
        if (leadsHere(each)) {
          return found;
        }
        other = other.isPresent() ? other : Optional.of(found);
      } catch (ClassNotFoundException | LinkageError absent) {
        unseen.addSuppressed(absent);
      }
    }
    if (other.isPresent()) {
      return other.get();
    }
    throw unseen;
  }

  private static boolean leadsHere(ClassLoader loader) {
    try {
      return Class.forName(RateLimit.class.getName(), false, loader) == RateLimit.class;
    } catch (ClassNotFoundException | LinkageError another) {
      return false;
    }
  }
}
