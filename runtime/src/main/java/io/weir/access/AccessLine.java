package io.weir.access;

/** Reads a line of {@code weir.access.file} word by word. Confine to one thread. */
final class AccessLine {
  private final String line;
  private int at;

  AccessLine(String line) {
    this.line = line;
  }

  /** Returns the next word, which is in quotes if it has blanks; empty at the end or a comment. */
  String word() {
    while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
      at++;
    }
    if (at == line.length() || line.charAt(at) == '#' || line.charAt(at) == ';') {
      return "";
    }
    if (line.charAt(at) == '"') {
      return quoted();
    }
    int from = at;
    while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
      at++;
    }
    return line.substring(from, at);
  }

  private String quoted() {
    StringBuilder text = new StringBuilder();
    for (at++; at < line.length(); at++) {
      boolean quote = line.charAt(at) == '"';
      if (quote && !line.startsWith("\"\"", at)) {
        at++;
        return text.toString();
      }
      at += quote ? 1 : 0;
      text.append(line.charAt(at));
    }
    throw new IllegalArgumentException("must have a closing quotation mark");
  }

  /** Returns the rest of the line, with the end of the last word. */
  String rest(int ofWord) {
    String rest = line.substring(at - ofWord);
    at = line.length();
    return rest;
  }

  /** Writes a word so that it is read as one. */
  static String written(String word) {
    return word.chars().anyMatch(Character::isWhitespace)
        ? '"' + word.replace("\"", "\"\"") + '"'
        : word;
  }
}
