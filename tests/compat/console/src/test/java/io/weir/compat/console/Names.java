package io.weir.compat.console;

import java.util.List;

/** Names that people and programs may choose, and that a page must show as they are. */
final class Names {
  static final String HTML = "<img src=x onerror=\"document.title='hit'\">";
  static final String FORMULA = "=HYPERLINK(1)";

  /** Shows as "live". */
  static final String TURNED = "\u202eevil";

  /** Shows as "alice". */
  static final String UNSEEN = "ali\u200bce";

  static final String ARABIC = "مستخدم";

  static final List<String> ALL = List.of(HTML, FORMULA, ARABIC);

  private Names() {}

  /** A text without a blank where a line could break, as long as a column takes. */
  static String endless(int length) {
    return "endless".repeat(length / 7 + 1).substring(0, length);
  }
}
