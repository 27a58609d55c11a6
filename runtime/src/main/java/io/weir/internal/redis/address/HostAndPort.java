package io.weir.internal.redis.address;

import java.util.Optional;

/**
 * The address of one server.
 *
 * <p>Immutable.
 *
 * @param host a name or an address, IPv6 without brackets
 * @param port 1 to 65535
 */
public record HostAndPort(String host, int port) {
  private static final int LONGEST_HOST = 255;
  private static final int MAX_PORT = 65_535;

  /** Validates an address that another server has reported; empty if no server can listen there. */
  public static Optional<HostAndPort> of(String host, long port) {
    boolean name =
        !host.isEmpty()
            && host.length() <= LONGEST_HOST
            && host.chars().allMatch(c -> c > ' ' && c < 0x7F);
    return name && port >= 1 && port <= MAX_PORT
        ? Optional.of(new HostAndPort(host, (int) port))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
