package io.weir.internal.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * The response to a refused request, ready to be sent: the same object for all who are told the
 * same.
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
   * The HTTP status.
   *
   * @return 429, 503 or 400
   */
  public int status() {
    return status;
  }

  /**
   * The header fields, without those that describe the body.
   *
   * @return a list that can't be changed
   */
  public List<HeaderField> headers() {
    return headers;
  }

  /**
   * The body's media type.
   *
   * @return the value of {@code Content-Type}
   */
  public String contentType() {
    return content.contentType();
  }

  /**
   * The body's length.
   *
   * @return bytes
   */
  public int length() {
    return content.length();
  }

  /**
   * Writes the body.
   *
   * @param out stays open
   * @throws IOException if it can't be written
   */
  public void writeTo(OutputStream out) throws IOException {
    content.writeTo(out);
  }

  /**
   * The body for writers that know characters only.
   *
   * @return a new text
   */
  public String text() {
    return content.text();
  }

  /**
   * The same with a body of ASCII only, where the charset is given and lacks the application's
   * words.
   *
   * @return one with the standard document
   */
  public Refusal inAscii() {
    return new Refusal(status, headers, content.inAscii());
  }
}
