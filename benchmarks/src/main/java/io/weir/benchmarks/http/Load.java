package io.weir.benchmarks.http;

/**
 * What is sent to a server: to each of some connections so many requests at once, and again when
 * all are answered.
 *
 * <p>Immutable.
 *
 * @param path what is requested
 * @param end the byte that ends an answer
 * @param inOneGo how many requests a connection sends before it waits for answers
 */
record Load(String path, byte end, int inOneGo) {
  static final int CONNECTIONS = 8;

  /** As browsers and service clients do: the next request after the answer. */
  static final Load ONE_BY_ONE = new Load(Hello.PATH, Hello.END, 1);

  /** Many requests in one packet: hardly any system calls, so that the server's own work shows. */
  static final Load PIPELINED = new Load(Hello.PATH, Hello.END, 16);

  /** The same, for what is refused. */
  static final Load REFUSED = new Load(Hello.REFUSED_PATH, Hello.END_OF_REFUSAL, 16);

  byte[] requests() {
    return Connection.requests(path, inOneGo);
  }
}
