package io.weir.internal.control.http;

import io.weir.internal.control.json.InvalidFieldException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;

/** The formats of lists that can be exported. */
public enum AnswerFormat {
  JSON,
  CSV;

  private static final MediaType CSV_TYPE = MediaType.valueOf(CsvEntity.CSV);

  /**
   * Determines what a client wants: by the parameter, else by {@code Accept}.
   *
   * @param parameter {@code json} or {@code csv}; null if it is missing
   * @return JSON where both are equally welcome
   * @throws InvalidFieldException if the parameter is anything else
   */
  public static AnswerFormat of(@Nullable String parameter, HttpHeaders headers) {
    if (parameter != null) {
      return switch (parameter) {
        case "json" -> JSON;
        case "csv" -> CSV;
        default -> throw new InvalidFieldException("format", "must be json or csv");
      };
    }
    for (MediaType each : headers.getAcceptableMediaTypes()) {
      if (each.isCompatible(MediaType.APPLICATION_JSON_TYPE)) {
        return JSON;
      }
      if (each.isCompatible(CSV_TYPE)) {
        return CSV;
      }
    }
    return JSON;
  }
}
