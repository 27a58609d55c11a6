package io.weir.adapter;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * The response to a refused request, ready to be sent. Several requests may share one.
 *
 * <p>Immutable. Not for implementation by others.
 */
public interface Refusal {
  /**
   * Returns the HTTP status.
   *
   * @return 429, 503, 403 or 400; also 408 or 413 if a policy needs the body
   */
  int status();

  /**
   * Returns the header fields, without those that describe the body.
   *
   * @return an unmodifiable list
   */
  List<HeaderField> headers();

  /**
   * Returns the body's media type.
   *
   * @return the value of {@code Content-Type}
   */
  String contentType();

  /**
   * Returns the body's length.
   *
   * @return bytes
   */
  int length();

  /**
   * Writes the body.
   *
   * @param out the stream, which stays open
   * @throws IOException if it can't be written
   */
  void writeTo(OutputStream out) throws IOException;

  /**
   * Returns the body as characters, for responses that have a writer only.
   *
   * @return the text of the body
   */
  String text();

  /**
   * Says why the request is refused, for protocols that send a line of text in place of a body.
   *
   * @return a sentence in English, which never identifies the caller
   */
  String detail();

  /**
   * Replaces an application's own text by the standard body, which is ASCII, for responses whose
   * charset can't encode that text.
   *
   * @return a refusal with the standard body
   */
  Refusal inAscii();
}
