package io.weir.internal.rules.database;

/** Keeps texts of rows in one line, as messages and logs have them. */
public final class LineText {
  private static final char REPLACEMENT = '\ufffd';

  private LineText() {}

  /**
   * Returns whether a character isn't part of a line, such as a line break.
   *
   * @param letter a character or a code point
   */
  public static boolean isBreak(int letter) {
    int type = Character.getType(letter);
    return Character.isISOControl(letter)
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }

  /** Returns a text with another character in place of each that isn't part of a line. */
  public static String of(String text) {
    StringBuilder line = new StringBuilder(text);
    for (int i = 0; i < line.length(); i++) {
      if (isBreak(line.charAt(i))) {
        line.setCharAt(i, REPLACEMENT);
      }
    }
    return line.toString();
  }
}
