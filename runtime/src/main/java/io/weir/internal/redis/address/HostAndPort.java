package io.weir.internal.redis.address;

import java.util.Optional;

/**
 * Where one server listens.
 *
 * <p>Immutable.
 *
 * @param host a name or an address, IPv6 without brackets
 * @param port 1 to 65535
 */
public record HostAndPort(String host, int port) {
  private static final int LONGEST_HOST = 255;
  private static final int MOST_PORT = 65_535;

  /**
   * What another server says of it.
   *
   * @param host any text
   * @param port any number
   * @return nothing if no server can listen there
   */
  public static Optional<HostAndPort> of(String host, long port) {
    boolean name =
        !host.isEmpty()
            && host.length() <= LONGEST_HOST
            && host.chars().allMatch(c -> c > ' ' && c < 0x7F);
    return name && port >= 1 && port <= MOST_PORT
        ? Optional.of(new HostAndPort(host, (int) port))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
