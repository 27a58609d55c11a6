package io.weir.adapter;

import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The response to a refused request, ready to be sent. Several requests may share one.
 *
 * <p>Immutable. Not for implementation by others.
 */
public interface Refusal {
  /**
   * Finds the exception that becomes a refusal, perhaps wrapped in others: that of a limited call,
   * or that a policy can't count one.
   *
   * @param thrown what a handler has thrown; its causes are searched too, 16 exceptions in all
   * @return a {@link RateLimitExceededException} or an {@link InvalidRequestException}; empty if
   *     neither was thrown
   */
  static Optional<RuntimeException> thrownIn(@Nullable Throwable thrown) {
    Throwable each = thrown;
    for (int i = 0; i < 16 && each != null; i++) {
      if (each instanceof RateLimitExceededException || each instanceof InvalidRequestException) {
        return Optional.of((RuntimeException) each);
      }
      each = each.getCause();
    }
    return Optional.empty();
  }

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
   * Returns the body.
   *
   * @return its bytes, in an array of its own
   */
  byte[] bytes();

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
