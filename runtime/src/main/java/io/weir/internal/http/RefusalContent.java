package io.weir.internal.http;

import io.weir.spi.RefusalText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The body of a refusal as bytes, for all who are told the same.
 *
 * <p>Immutable: the bytes never leave it but to be written.
 */
final class RefusalContent {
  private final String contentType;
  private final byte[] utf8;
  private final Optional<RefusalContent> standard;

  private RefusalContent(String contentType, byte[] utf8, Optional<RefusalContent> standard) {
    this.contentType = contentType;
    this.utf8 = utf8;
    this.standard = standard;
  }

  /** A standard document. */
  static RefusalContent ofAscii(String contentType, String text) {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    return new RefusalContent(contentType, ascii, Optional.empty());
  }

  /** The application's own words in place of a standard document. */
  RefusalContent replacedBy(RefusalText words) {
    String type = words.contentType();
    String lower = type.toLowerCase(Locale.ROOT);
    boolean unnamed = lower.startsWith("text/") && !lower.contains("charset=");
    return new RefusalContent(
        unnamed ? type + ";charset=UTF-8" : type,
        words.text().getBytes(StandardCharsets.UTF_8),
        Optional.of(this));
  }

  /** The standard document, which is the same in every charset. */
  RefusalContent inAscii() {
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

  String text() {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
