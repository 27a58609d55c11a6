package io.weir.internal.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that a misspelled one probably means: the one the fewest edits away. */
public final class NearestWord {
  private NearestWord() {}

  /**
   * Finds the nearest of the known words, ignoring case.
   *
   * @return the nearest word; empty if none is near
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
   * Writes a suggestion for the end of a message.
   *
   * @return {@code "; did you mean …?"}; the empty string if no known word is near
   */
  public static String hint(String word, Collection<String> known) {
    return to(word, known).map(near -> "; did you mean " + near + "?").orElse("");
  }

  /** Computes the Levenshtein distance, row by row. */
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
