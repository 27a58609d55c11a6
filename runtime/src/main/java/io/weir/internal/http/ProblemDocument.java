package io.weir.internal.http;

import java.util.List;

/**
 * Writes a problem document (RFC 9457), member by member.
 *
 * <p>Confine to one thread.
 */
final class ProblemDocument {
  static final String CONTENT_TYPE = "application/problem+json";

  private final StringBuilder json = new StringBuilder(256).append('{');

  ProblemDocument(String type, String title, int status) {
    member("type", type);
    member("title", title);
    member("status", status);
  }

  ProblemDocument member(String name, String value) {
    name(name);
    text(value);
    return this;
  }

  ProblemDocument member(String name, long value) {
    name(name);
    json.append(value);
    return this;
  }

  ProblemDocument member(String name, List<String> values) {
    name(name);
    json.append('[');
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        json.append(',');
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
      json.append(',');
    }
    text(name);
    json.append(':');
  }

  private void text(String value) {
    json.append('"');
    value.chars().forEach(this::character);
    json.append('"');
  }

  /** Escapes all that isn't printable ASCII, so that no charset can be guessed wrongly. */
  private void character(int unit) {
    if (unit == '"' || unit == '\\') {
      json.append('\\').append((char) unit);
    } else if (unit >= ' ' && unit < 0x7f) {
      json.append((char) unit);
    } else {
      json.append("\\u");
      for (int shift = 12; shift >= 0; shift -= 4) {
        json.append(Character.forDigit(unit >> shift & 0xf, 16));
      }
    }
  }
}
