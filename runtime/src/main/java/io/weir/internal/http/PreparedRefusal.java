package io.weir.internal.http;

import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Holds the response to a refused request. Refusals with equal contents share the content.
 *
 * <p>Immutable.
 */
final class PreparedRefusal implements Refusal {
  private final int status;
  private final List<HeaderField> headers;
  private final EncodedRefusalBody content;

  PreparedRefusal(int status, List<HeaderField> headers, EncodedRefusalBody content) {
    this.status = status;
    this.headers = List.copyOf(headers);
    this.content = content;
  }

  @Override
  public int status() {
    return status;
  }

  @Override
  public List<HeaderField> headers() {
    return headers;
  }

  @Override
  public String contentType() {
    return content.contentType();
  }

  @Override
  public int length() {
    return content.length();
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    content.writeTo(out);
  }

  @Override
  public byte[] bytes() {
    return content.bytes();
  }

  @Override
  public String text() {
    return content.text();
  }

  @Override
  public String detail() {
    return content.detail();
  }

  @Override
  public Refusal inAscii() {
    return new PreparedRefusal(status, headers, content.inAscii());
  }
}
