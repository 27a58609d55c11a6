package io.weir.spring;

import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Holds the class loader of an application, by which Weir finds files and services.
 *
 * @param loader finds the classes of the application
 */
record ApplicationLoader(ClassLoader loader) {
  static ApplicationLoader of(ApplicationContext context) {
    ClassLoader own = context.getClassLoader();
    return new ApplicationLoader(
        own != null ? own : Objects.requireNonNull(ClassUtils.getDefaultClassLoader()));
  }

  /** Calls with the class loader as that of the thread. */
  <T> T call(Supplier<T> task) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return task.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
