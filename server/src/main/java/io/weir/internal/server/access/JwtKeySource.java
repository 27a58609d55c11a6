package io.weir.internal.server.access;

import java.io.IOException;

/** Reads the public keys of an issuer. May block; called in a thread of its own. */
@FunctionalInterface
public interface JwtKeySource {
  /**
   * Reads a JWK set in JSON.
   *
   * @throws InterruptedException if the server stops
   */
  String read() throws IOException, InterruptedException;
}
