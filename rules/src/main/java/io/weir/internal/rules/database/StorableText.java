package io.weir.internal.rules.database;

/** Checks texts for characters that a database can't keep, or that have no bytes in UTF-8. */
public final class StorableText {
  /** The rule that messages state about other texts. */
  public static final String RULE =
      "must not contain the character U+0000 or half of a surrogate pair";

  private StorableText() {}

  /**
   * Returns whether each character can be kept; two texts that differ in others would be one
   * caller.
   */
  public static boolean is(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == 0 || Character.isLowSurrogate(each)) {
        return false;
      }
      if (Character.isHighSurrogate(each)) {
        i++;
        if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
          return false;
        }
      }
    }
    return true;
  }
}
