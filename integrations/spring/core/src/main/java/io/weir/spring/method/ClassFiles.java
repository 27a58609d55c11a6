package io.weir.spring.method;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Reads class files as they are stored, before any agent has changed them. */
final class ClassFiles {
  private ClassFiles() {}

  /**
   * Reads the file of a class; empty if there is none: of a generated class, or in a native image.
   */
  static Optional<byte[]> read(Class<?> type) {
    return read(type.getName(), type.getClassLoader());
  }

  /** Reads the file of a class that needn't be loaded. */
  static Optional<byte[]> read(String name, @Nullable ClassLoader loader) {
    String path = ClassUtils.convertClassNameToResourcePath(name) + ClassUtils.CLASS_FILE_SUFFIX;
    try (InputStream file =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(path)
            : loader.getResourceAsStream(path)) {
      return file == null ? Optional.empty() : Optional.of(file.readAllBytes());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
