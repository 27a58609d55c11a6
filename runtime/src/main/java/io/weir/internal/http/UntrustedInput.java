package io.weir.internal.http;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads parts of a request that the client may have malformed. */
public final class UntrustedInput {
  private UntrustedInput() {}

  /**
   * Reads one part. Containers differ in what they throw for malformed input, and so do principals:
   * whatever it is, the part counts as missing.
   *
   * @param <T> the type of the part
   * @param reader reads the part from the container's request
   * @return the part; empty if it is missing or can't be read
   */
  public static <T> Optional<T> read(Supplier<@Nullable T> reader) {
    try {
      return Optional.ofNullable(reader.get());
    } catch (RuntimeException | LinkageError malformed) {
      return Optional.empty();
    }
  }
}
