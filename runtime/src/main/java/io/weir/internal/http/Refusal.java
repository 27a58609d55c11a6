package io.weir.internal.http;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The response to a refused request, ready to be sent.
 *
 * <p>Immutable.
 *
 * @param status the HTTP status
 * @param headers the header fields, without those that describe the body
 * @param contentType the body's media type
 * @param body the body, in ASCII
 */
public record Refusal(int status, List<HeaderField> headers, String contentType, String body) {
  /**
   * Copies the headers.
   *
   * @param status see the record
   * @param headers see the record
   * @param contentType see the record
   * @param body see the record
   */
  public Refusal {
    headers = List.copyOf(headers);
  }

  /**
   * The body as it is sent.
   *
   * @return a new array
   */
  public byte[] bytes() {
    return body.getBytes(StandardCharsets.US_ASCII);
  }
}
