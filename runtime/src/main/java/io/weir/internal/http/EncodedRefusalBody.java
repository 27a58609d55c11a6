package io.weir.internal.http;

import io.weir.spi.RefusalText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The body of a refusal as bytes, shared by refusals with equal bodies.
 *
 * <p>Immutable.
 */
final class EncodedRefusalBody {
  private final String contentType;
  private final byte[] utf8;
  private final String detail;
  private final Optional<EncodedRefusalBody> standard;

  private EncodedRefusalBody(
      String contentType, byte[] utf8, String detail, Optional<EncodedRefusalBody> standard) {
    this.contentType = contentType;
    this.utf8 = utf8;
    this.detail = detail;
    this.standard = standard;
  }

  /**
   * Encodes a standard body.
   *
   * @param detail the sentence that it says why the request is refused
   */
  static EncodedRefusalBody ofAscii(String contentType, String text, String detail) {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    return new EncodedRefusalBody(contentType, ascii, detail, Optional.empty());
  }

  EncodedRefusalBody replacedBy(RefusalText custom) {
    String type = custom.contentType();
    String lower = type.toLowerCase(Locale.ROOT);
    boolean unnamed = lower.startsWith("text/") && !lower.contains("charset=");
    return new EncodedRefusalBody(
        unnamed ? type + ";charset=UTF-8" : type,
        custom.text().getBytes(StandardCharsets.UTF_8),
        detail,
        Optional.of(this));
  }

  /** Returns the standard body, which is the same in every charset. */
  EncodedRefusalBody inAscii() {
    return standard.orElse(this);
  }

  String contentType() {
    return contentType;
  }

  int length() {
    return utf8.length;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(utf8, 0, utf8.length);
  }

  byte[] bytes() {
    return utf8.clone();
  }

  /** Returns the sentence of the standard body, whatever an application's own says. */
  String detail() {
    return detail;
  }

  String text() {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
