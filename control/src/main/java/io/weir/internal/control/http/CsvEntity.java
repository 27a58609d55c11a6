package io.weir.internal.control.http;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/**
 * The CSV body of a response, to be saved as a file. A type of its own, so that no provider of the
 * application writes it.
 *
 * <p>Immutable.
 */
public final class CsvEntity extends WrittenEntity {
  public static final String CSV = "text/csv";

  private static final MediaType TYPE =
      new MediaType("text", "csv", Map.of("charset", "UTF-8", "header", "present"));

  private final byte[] utf8;

  private CsvEntity(byte[] utf8) {
    this.utf8 = utf8;
  }

  /**
   * Begins a response with status 200.
   *
   * @param file the name to save it by, of letters, digits, hyphens and dots
   */
  public static Response.ResponseBuilder ok(CsvText table, String file) {
    return Response.ok(new CsvEntity(table.utf8()))
        .type(TYPE)
        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + file + "\"")
        .header(HttpHeaders.VARY, HttpHeaders.ACCEPT);
  }

  @Override
  protected void write(MultivaluedMap<String, Object> headers, OutputStream out)
      throws IOException {
    out.write(utf8);
  }
}
