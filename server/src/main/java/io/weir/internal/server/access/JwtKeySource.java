package io.weir.internal.server.access;

import java.io.IOException;

/** Brings the public keys of an issuer. May take long; called in a thread of its own. */
@FunctionalInterface
public interface JwtKeySource {
  /**
   * Reads them.
   *
   * @return a JWK set, as JSON
   * @throws IOException if they can't be read
   * @throws InterruptedException if the server stops
   */
  String read() throws IOException, InterruptedException;
}
