package io.weir.internal.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * The response to a refused request, ready to be sent. Refusals with equal contents share one.
 *
 * <p>Immutable.
 */
public final class Refusal {
  private final int status;
  private final List<HeaderField> headers;
  private final RefusalContent content;

  Refusal(int status, List<HeaderField> headers, RefusalContent content) {
    this.status = status;
    this.headers = List.copyOf(headers);
    this.content = content;
  }

  /**
   * Returns the HTTP status.
   *
   * @return 429, 503 or 400
   */
  public int status() {
    return status;
  }

  /**
   * Returns the header fields, without those that describe the body.
   *
   * @return an unmodifiable list
   */
  public List<HeaderField> headers() {
    return headers;
  }

  /**
   * Returns the body's media type.
   *
   * @return the value of {@code Content-Type}
   */
  public String contentType() {
    return content.contentType();
  }

  /**
   * Returns the body's length.
   *
   * @return bytes
   */
  public int length() {
    return content.length();
  }

  /**
   * Writes the body.
   *
   * @param out the stream, which stays open
   * @throws IOException if it can't be written
   */
  public void writeTo(OutputStream out) throws IOException {
    content.writeTo(out);
  }

  /**
   * Returns the body as characters, for responses that have a writer only.
   *
   * @return the text of the body
   */
  public String text() {
    return content.text();
  }

  /**
   * Replaces an application's own text by the standard body, which is ASCII, for responses whose
   * charset can't encode that text.
   *
   * @return a refusal with the standard body
   */
  public Refusal inAscii() {
    return new Refusal(status, headers, content.inAscii());
  }
}
