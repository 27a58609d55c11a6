package io.weir.spring;

import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Holds the class loader of an application, by which Weir finds files and services. */
record ApplicationLoader(ClassLoader loader) {
  /**
   * Returns the loader that the application's beans have, which was chosen when the start began.
   * The context's own may be that of the thread, and so of an embedded server that starts.
   */
  static ApplicationLoader of(ConfigurableListableBeanFactory beans) {
    ClassLoader own = beans.getBeanClassLoader();
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
