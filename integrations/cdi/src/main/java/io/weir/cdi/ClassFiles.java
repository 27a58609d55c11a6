package io.weir.cdi;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads class files as they are stored, before any agent or container has changed them. */
final class ClassFiles {
  private ClassFiles() {}

  /** Reads the file of a class of the application; empty if there is none. */
  static Optional<byte[]> read(String name) {
    try (InputStream file =
        Thread.currentThread()
            .getContextClassLoader()
            .getResourceAsStream(name.replace('.', '/') + ".class")) {
      return file == null ? Optional.empty() : Optional.of(file.readAllBytes());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
