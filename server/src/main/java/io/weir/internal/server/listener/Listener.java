package io.weir.internal.server.listener;

/** A protocol that the server is asked by. */
public interface Listener extends AutoCloseable {
  /**
   * Its name.
   *
   * @return {@code http}, {@code grpc} or {@code redis}
   */
  String name();

  /**
   * Where it listens, for people.
   *
   * @return {@code http://127.0.0.1:8070}, say
   */
  String address();

  /** Takes nothing more, answers what it has taken, and ends. Idempotent. */
  @Override
  void close();

  /**
   * An address as people write it.
   *
   * @param host a name, or an address of either kind
   * @param port the port
   * @return host, colon and port; brackets around IPv6
   */
  static String address(String host, int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
