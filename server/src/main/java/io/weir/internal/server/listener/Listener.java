package io.weir.internal.server.listener;

/** Listens on a port for one protocol. */
public interface Listener extends AutoCloseable {
  Protocol protocol();

  /** Returns the address that it listens on, for people: {@code http://127.0.0.1:8070}, say. */
  String address();

  /** Accepts nothing more, answers what it has received, and ends. Idempotent. */
  @Override
  void close();

  /** Joins host and port by a colon, with brackets around IPv6. */
  static String address(String host, int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
