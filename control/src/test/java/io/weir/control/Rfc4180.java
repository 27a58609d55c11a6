package io.weir.control;

import java.util.ArrayList;
import java.util.List;

/** Reads CSV strictly as RFC 4180 has it. */
final class Rfc4180 {
  private final String text;
  private int at;

  private Rfc4180(String text) {
    this.text = text;
  }

  static List<List<String>> parse(String text) {
    Rfc4180 reader = new Rfc4180(text);
    List<List<String>> rows = new ArrayList<>();
    while (reader.at < text.length()) {
      rows.add(reader.row());
    }
    return rows;
  }

  private List<String> row() {
    List<String> cells = new ArrayList<>();
    cells.add(cell());
    while (is(',')) {
      at++;
      cells.add(cell());
    }
    if (!text.startsWith("\r\n", at)) {
      throw new AssertionError("no line break at " + at + " of " + text);
    }
    at += 2;
    return cells;
  }

  private boolean is(char wanted) {
    return at < text.length() && text.charAt(at) == wanted;
  }

  private String cell() {
    StringBuilder cell = new StringBuilder();
    if (!is('"')) {
      while (at < text.length() && ",\r\n\"".indexOf(text.charAt(at)) < 0) {
        cell.append(text.charAt(at++));
      }
      return cell.toString();
    }
    at++;
    while (true) {
      if (!is('"')) {
        cell.append(text.charAt(at++));
      } else if (text.startsWith("\"\"", at)) {
        cell.append('"');
        at += 2;
      } else {
        at++;
        return cell.toString();
      }
    }
  }
}
