package io.weir.example.servlet;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Reads the address to listen on: {@code -Dhost}, or else 127.0.0.1. Others than loopback are
 * refused, since everybody knows the passwords of the example.
 */
final class Host {
  static final String DEFAULT = "127.0.0.1";

  private Host() {}

  static String chosen() {
    return System.getProperty("host", DEFAULT);
  }

  static InetAddress loopback(String host) {
    try {
      InetAddress address = InetAddress.getByName(host.strip());
      if (address.isLoopbackAddress() && !host.isBlank()) {
        return address;
      }
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(rule(host), unknown);
    }
    throw new IllegalArgumentException(rule(host));
  }

  private static String rule(String host) {
    return "host = '"
        + host
        + "' (-Dhost): must be an address of loopback, such as 127.0.0.1, since everybody knows the"
        + " passwords of this example, such as admin/admin";
  }
}
