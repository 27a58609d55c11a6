package io.weir.internal.server.listener;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The protocols of the server. */
public enum Protocol {
  /** The HTTP API. */
  HTTP,
  /** Weir's own service and Envoy's over gRPC. */
  GRPC,
  /** The Redis protocol. */
  REDIS;

  /**
   * Returns its name in settings, metrics and messages.
   *
   * @return {@code http}, {@code grpc} or {@code redis}
   */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the names of all protocols.
   *
   * @return in the order of the constants
   */
  public static List<String> texts() {
    return Arrays.stream(values()).map(Protocol::text).toList();
  }

  /**
   * Finds a protocol by its name.
   *
   * @param text one of {@link #texts()}
   * @throws IllegalArgumentException if there is none of this name
   */
  public static Protocol of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
