package io.weir.internal.control.http;

import java.io.IOException;
import java.io.InputStream;

/** Reads bodies up to a bound, whatever their length is said to be. */
public final class BodyReader {
  /** The longest body, in bytes: 64 KiB. */
  public static final int LONGEST = 64 * 1_024;

  private static final int MALFORMED = 400;
  private static final int TOO_LARGE = 413;

  private BodyReader() {}

  /**
   * Reads a body.
   *
   * @param in its stream; stays open
   * @param longest how many bytes it may have
   * @return its bytes
   * @throws jakarta.ws.rs.WebApplicationException 413 if it is longer; 400 if it ends too early,
   *     comes too slowly or isn't what HTTP allows
   */
  public static byte[] read(InputStream in, int longest) {
    byte[] bytes;
    try {
      bytes = in.readNBytes(longest + 1);
    } catch (IOException | RuntimeException broken) { // containers have exceptions of their own
      throw Problem.of(MALFORMED, "The body can't be read to its end.").exception();
    }
    if (bytes.length > longest) {
      throw Problem.of(TOO_LARGE, "The body is longer than " + longest + " bytes.").exception();
    }
    return bytes;
  }
}
