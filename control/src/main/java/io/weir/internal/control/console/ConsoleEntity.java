package io.weir.internal.control.console;

import io.weir.internal.control.http.WrittenEntity;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a file as the body of a response. Its encoding is named only when it is written: before
 * that, a filter of the application would take the name for its own, and compress the body a second
 * time.
 *
 * <p>Immutable.
 */
final class ConsoleEntity extends WrittenEntity {
  private final ConsoleFile file;
  private final boolean isCompressed;

  ConsoleEntity(ConsoleFile file, boolean isCompressed) {
    this.file = file;
    this.isCompressed = isCompressed;
  }

  @Override
  protected void write(MultivaluedMap<String, Object> headers, OutputStream out)
      throws IOException {
    // A filter that has named an encoding compresses the body itself.
    boolean isOurs = isCompressed && !headers.containsKey(HttpHeaders.CONTENT_ENCODING);
    if (isOurs) {
      headers.putSingle(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    out.write(file.bytes(isOurs));
  }
}
