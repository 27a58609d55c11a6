package io.weir.internal.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody probably meant: the known word that the fewest edits lead to. */
public final class NearestWord {
  private NearestWord() {}

  /**
   * Finds the nearest of the known words, without regard to case.
   *
   * @param word what was written
   * @param known what would be understood
   * @return the nearest; nothing if none is near
   */
  public static Optional<String> to(String word, Collection<String> known) {
    int near = Math.max(2, word.length() / 3);
    return known.stream()
        .filter(each -> distance(word, each) <= near)
        .min(
            Comparator.<String>comparingInt(each -> distance(word, each))
                .thenComparing(each -> each));
  }

  /**
   * Writes the suggestion for the end of a message.
   *
   * @param word what was written
   * @param known what would be understood
   * @return {@code "; did you mean …?"}, or an empty text if nothing is near
   */
  public static String hint(String word, Collection<String> known) {
    return to(word, known).map(near -> "; did you mean " + near + "?").orElse("");
  }

  /** The Levenshtein distance, row by row. */
  static int distance(String from, String to) {
    String left = from.toLowerCase(Locale.ROOT);
    String right = to.toLowerCase(Locale.ROOT);
    int[] above = new int[right.length() + 1];
    for (int column = 0; column <= right.length(); column++) {
      above[column] = column;
    }
    for (int row = 1; row <= left.length(); row++) {
      above = nextRow(above, row, left.charAt(row - 1), right);
    }
    return above[right.length()];
  }

  private static int[] nextRow(int[] above, int row, char letter, String right) {
    int[] next = new int[above.length];
    next[0] = row;
    for (int column = 1; column < next.length; column++) {
      int replaced = above[column - 1] + (letter == right.charAt(column - 1) ? 0 : 1);
      next[column] = Math.min(replaced, 1 + Math.min(above[column], next[column - 1]));
    }
    return next;
  }
}
