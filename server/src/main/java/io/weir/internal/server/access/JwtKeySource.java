package io.weir.internal.server.access;

import java.io.IOException;

/** Reads the public keys of an issuer. May block; called in a thread of its own. */
@FunctionalInterface
public interface JwtKeySource {
  /**
   * Reads the keys.
   *
   * @return a JWK set in JSON
   * @throws IOException if they can't be read
   * @throws InterruptedException if the server stops
   */
  String read() throws IOException, InterruptedException;
}
