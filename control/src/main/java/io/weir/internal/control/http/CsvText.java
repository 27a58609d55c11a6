package io.weir.internal.control.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Writes tables as CSV (RFC 4180): lines end with CR LF, and cells with a comma, a quote or a line
 * break are quoted. No cell is a formula for a spreadsheet: one that begins like a formula gets an
 * apostrophe before it, as does what follows a semicolon or a tab, at which spreadsheets of some
 * languages split cells, quoted or not. All else stays as it is.
 *
 * <p>Confine to one thread.
 */
public final class CsvText {
  /**
   * The place before a formula: at the beginning or after a separator, with blanks and quotes
   * skipped. Formulas begin with these characters, in full width as well; spreadsheets skip tabs
   * and line breaks at the beginning.
   */
  private static final Pattern FORMULA =
      Pattern.compile("(^|[;\t\r\n][\\s\"]*)(?=[=+\\-@＝＋－＠]|^[\t\r\n])");

  /**
   * Commas, quotes and line breaks by RFC 4180; the separators of spreadsheets of some languages.
   */
  private static final String QUOTED = ",\"\r\n;\t";

  private final StringBuilder text = new StringBuilder();

  public CsvText(List<String> names) {
    line(names);
  }

  /** Adds a line of as many cells as there are columns. */
  public CsvText line(List<?> cells) {
    for (int i = 0; i < cells.size(); i++) {
      text.append(i == 0 ? "" : ",").append(cell(String.valueOf(cells.get(i))));
    }
    text.append("\r\n");
    return this;
  }

  private static String cell(String value) {
    String safe = FORMULA.matcher(value).replaceAll("$1'");
    boolean isQuoted = false;
    for (int i = 0; i < safe.length(); i++) {
      isQuoted |= QUOTED.indexOf(safe.charAt(i)) >= 0;
    }
    return isQuoted || !safe.equals(safe.strip()) ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
  }

  byte[] utf8() {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
