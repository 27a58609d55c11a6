package io.weir.internal.server.listener;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The protocols of the server. */
public enum Protocol {
  HTTP,
  /** Weir's own service and Envoy's over gRPC. */
  GRPC,
  REDIS;

  /** Returns its name in settings, metrics and messages. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the names of all protocols, in the order of the constants. */
  public static List<String> texts() {
    return Arrays.stream(values()).map(Protocol::text).toList();
  }

  /**
   * Finds a protocol by its name.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public static Protocol of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
