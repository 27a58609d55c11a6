package io.weir.adapter;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the body of one request within the bounds of the settings. Not for implementation by
 * others. Used by one thread after the other.
 */
public interface BodyReader {
  /** Opens the stream of a body, which some containers note as a use of it. */
  @FunctionalInterface
  interface BodyStream {
    /**
     * Opens the stream.
     *
     * @return the body as the client sent it, with its content coding
     * @throws IOException if the connection fails
     */
    InputStream open() throws IOException;
  }

  /**
   * Reads a body to its end, but not beyond the bounds. Waits for the client between reads.
   *
   * @param stream opened once, unless the body is known to be too long; stays open
   * @param encoding the charset by which the framework or this adapter decodes forms; if it is
   *     empty, forms are refused that aren't the same in UTF-8 as in the charset that {@code
   *     Content-Type} names
   * @return the body
   * @throws IOException if the stream throws it
   * @throws RuntimeException if the request is to be refused, since its body is too long, too slow
   *     or of a type that no policy can read
   */
  ReadBody read(BodyStream stream, Optional<String> encoding) throws IOException;

  /**
   * Returns whether a body that policies can't read is admitted. Then an adapter must not take a
   * body from its stream that it can't show to the application as the framework would.
   *
   * @return true if such bodies count as missing
   */
  boolean admitsUnreadable();

  /**
   * Leaves the body in its stream.
   *
   * @return a body without values
   */
  ReadBody untouched();

  /**
   * Returns how many bytes to collect before the body is {@linkplain #read read}, for an adapter
   * whose threads mustn't wait for the client.
   *
   * @return one more than the longest body has; 0 if this one is announced to be longer, so that
   *     nothing is to be collected
   */
  int wantedBytes();

  /**
   * Returns how long such an adapter may collect, however many bytes arrive meanwhile. Once that
   * has passed, it calls {@link #late}.
   *
   * @return the time from now on, possibly zero
   */
  Duration timeLeft();

  /**
   * Notes that the body didn't arrive in time. Other bodies may then be read in its place.
   *
   * @throws RuntimeException if the request is to be refused for that; otherwise the adapter goes
   *     on waiting, as the application would
   */
  void late();

  /**
   * Takes the fields of a form that the framework has read before, so that its stream is empty.
   *
   * @param parameters the values of query and body together, by the names of the fields
   * @return a body without bytes
   */
  ReadBody ofParameters(Map<String, List<String>> parameters);

  /**
   * Takes nothing, since the application has read the body before, so that no policy can.
   *
   * @return a body without values, if such bodies count as missing
   * @throws RuntimeException if the request is to be refused
   */
  ReadBody taken();
}
