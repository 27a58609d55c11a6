package io.weir.internal.rules.database;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Converts rows to the JSON of {@code rule_changes} and back. */
public final class RowJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final Set<String> INSTANTS =
      Set.of("created_at", "updated_at", "valid_from", "valid_until", "until");

  private RowJson() {}

  public static String write(Map<String, ?> columns) {
    try {
      return JSON.writeValueAsString(columns);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Columns as texts, whichever database wrote them. */
  static Map<String, String> read(String json) {
    JsonNode row;
    try {
      row = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a row: " + e.getOriginalMessage());
    }
    Map<String, String> columns = new LinkedHashMap<>();
    row.properties()
        .forEach(
            field -> {
              if (!field.getValue().isNull()) {
                columns.put(field.getKey(), text(field.getKey(), field.getValue()));
              }
            });
    return columns;
  }

  private static String text(String column, JsonNode value) {
    if (value.isNumber()) {
      return ColumnType.plain(value.decimalValue());
    }
    if (value.isTextual()) {
      return INSTANTS.contains(column) ? instant(value.textValue()) : value.textValue();
    }
    return value.toString();
  }

  /** PostgreSQL writes times with an offset, or without one if the column has none. */
  private static String instant(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant().toString();
    } catch (DateTimeException noOffset) {
      try {
        return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC).toString();
      } catch (DateTimeException notIso) {
        return text;
      }
    }
  }
}
