package io.weir.servlet;

import io.weir.annotation.RateLimit;
import jakarta.servlet.ServletContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes of an application's servlets. An embedded container may be given a servlet
 * object whose class its own loaders can't find, so several loaders are tried: those of the
 * application, of the thread that made the filter, of Weir and of the container.
 *
 * <p>Immutable.
 */
final class ServletClassLoaders {
  private final List<ClassLoader> loaders = new ArrayList<>();

  /**
   * Makes a finder that tries the given loaders, then those of the container and of Weir.
   *
   * @param first loaders of the application, in the order in which they are tried
   */
  ServletClassLoaders(List<Optional<ClassLoader>> first, ServletContext context) {
    first.forEach(each -> each.ifPresent(loaders::add));
    add(context.getClassLoader());
    add(ServletClassLoaders.class.getClassLoader());
    add(context.getClass().getClassLoader());
  }

  private void add(@Nullable ClassLoader loader) {
    if (loader != null) {
      loaders.add(loader);
    }
  }

  /**
   * Finds a class. If loaders have different copies of it, one that sees this Weir's annotations is
   * preferred.
   *
   * @throws ClassNotFoundException if no loader finds it
   */
  Class<?> find(String name) throws ClassNotFoundException {
    Optional<Class<?>> other = Optional.empty();
    ClassNotFoundException notFound = new ClassNotFoundException(name);
    for (ClassLoader each : loaders) {
      try {
        Class<?> found = Class.forName(name, false, each);
        if (seesAnnotations(each)) {
          return found;
        }
        other = other.isPresent() ? other : Optional.of(found);
      } catch (ClassNotFoundException | LinkageError absent) {
        notFound.addSuppressed(absent);
      }
    }
    if (other.isPresent()) {
      return other.get();
    }
    throw notFound;
  }

  private static boolean seesAnnotations(ClassLoader loader) {
    try {
      return Class.forName(RateLimit.class.getName(), false, loader) == RateLimit.class;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }
}
