package io.weir.redis.address;

/**
 * Where one server listens.
 *
 * <p>Immutable.
 *
 * @param host a name or an address, IPv6 without brackets
 * @param port 1 to 65535
 */
public record Endpoint(String host, int port) {
  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
