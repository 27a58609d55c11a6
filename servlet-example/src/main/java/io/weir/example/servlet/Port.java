package io.weir.example.servlet;

import java.util.Optional;

/** Reads the port to listen on: {@code -Dport}, or else {@code PORT}, or else 8080. */
final class Port {
  private static final int MAX_PORT = 65_535;

  private Port() {}

  static int chosen() {
    return chosen(
        Optional.ofNullable(System.getProperty("port")),
        Optional.ofNullable(System.getenv("PORT")));
  }

  static int chosen(Optional<String> property, Optional<String> environment) {
    return property.or(() -> environment).map(Port::parse).orElse(8080);
  }

  private static int parse(String text) {
    try {
      int port = Integer.parseInt(text.trim());
      if (port >= 0 && port <= MAX_PORT) {
        return port;
      }
    } catch (NumberFormatException malformed) {
      throw new IllegalArgumentException(rule(text), malformed);
    }
    throw new IllegalArgumentException(rule(text));
  }

  private static String rule(String text) {
    return "port = '" + text + "' (-Dport or PORT): must be a whole number from 0 to " + MAX_PORT;
  }
}
