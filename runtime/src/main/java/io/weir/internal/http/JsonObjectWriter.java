package io.weir.internal.http;

import java.util.List;

/**
 * Writes a JSON object member by member, in ASCII.
 *
 * <p>Confine to one thread.
 */
final class JsonObjectWriter {
  private final StringBuilder json = new StringBuilder(512).append('{');
  private final String comma;
  private final String colon;

  private JsonObjectWriter(String comma, String colon) {
    this.comma = comma;
    this.colon = colon;
  }

  /** Starts an object without blanks between members. */
  static JsonObjectWriter dense() {
    return new JsonObjectWriter(",", ":");
  }

  /** Starts an object with blanks between members. */
  static JsonObjectWriter spaced() {
    return new JsonObjectWriter(", ", ": ");
  }

  JsonObjectWriter member(String name, String value) {
    name(name);
    text(value);
    return this;
  }

  JsonObjectWriter member(String name, long value) {
    name(name);
    json.append(value);
    return this;
  }

  JsonObjectWriter member(String name, List<String> values) {
    name(name);
    json.append('[');
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        json.append(comma);
      }
      text(values.get(i));
    }
    json.append(']');
    return this;
  }

  String end() {
    return json.append('}').toString();
  }

  private void name(String name) {
    if (json.length() > 1) {
      json.append(comma);
    }
    text(name);
    json.append(colon);
  }

  private void text(String value) {
    json.append('"');
    for (int i = 0; i < value.length(); i++) {
      character(value.charAt(i));
    }
    json.append('"');
  }

  /** Escapes everything but printable ASCII, so that a wrongly guessed charset does no harm. */
  private void character(char unit) {
    if (unit == '"' || unit == '\\') {
      json.append('\\').append(unit);
    } else if (unit >= ' ' && unit < 0x7f) {
      json.append(unit);
    } else {
      json.append("\\u");
      for (int shift = 12; shift >= 0; shift -= 4) {
        json.append(Character.forDigit(unit >> shift & 0xf, 16));
      }
    }
  }
}
