package io.weir.internal.control.http;

import java.io.IOException;
import java.io.InputStream;

/** Reads bodies up to a bound, whatever their {@code Content-Length} says. */
public final class BoundedBodyReader {
  public static final int MAX_BYTES = 64 * 1_024;

  private static final int MALFORMED = 400;
  private static final int TOO_LARGE = 413;

  private BoundedBodyReader() {}

  /**
   * Reads a body.
   *
   * @param in its stream; stays open
   * @throws jakarta.ws.rs.WebApplicationException 413 if it is longer; 400 if it ends too early,
   *     comes too slowly or violates HTTP
   */
  public static byte[] read(InputStream in, int maxBytes) {
    byte[] bytes;
    try {
      bytes = in.readNBytes(maxBytes + 1);
    } catch (IOException | RuntimeException broken) { // some containers throw their own
      throw Problem.of(MALFORMED, "The body ended early, arrived too slowly or violates HTTP.")
          .exception();
    }
    if (bytes.length > maxBytes) {
      throw Problem.of(TOO_LARGE, "The body is longer than " + maxBytes + " bytes.").exception();
    }
    return bytes;
  }
}
