package io.weir.internal.control.http;

import jakarta.ws.rs.core.MultivaluedMap;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes itself as the body of a response. A class, not an interface: JAX-RS prefers the writer of
 * the nearest superclass, so no writer of the application for any {@code Object} gets it.
 */
public abstract class WrittenEntity {
  protected WrittenEntity() {}

  /**
   * Writes the body.
   *
   * @param headers the header fields, which may still be changed
   * @param out the response, which stays open
   */
  protected abstract void write(MultivaluedMap<String, Object> headers, OutputStream out)
      throws IOException;
}
