package io.weir.internal.server.listener;

/** Listens on a port for one protocol. */
public interface Listener extends AutoCloseable {
  /**
   * Returns the protocol.
   *
   * @return one listener has it
   */
  Protocol protocol();

  /**
   * Returns the address that it listens on, for people.
   *
   * @return {@code http://127.0.0.1:8070}, say
   */
  String address();

  /** Accepts nothing more, answers what it has received, and ends. Idempotent. */
  @Override
  void close();

  /**
   * Joins host and port.
   *
   * @param host a name, or an address of either kind
   * @return host, colon and port; brackets around IPv6
   */
  static String address(String host, int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
