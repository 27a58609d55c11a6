package io.weir.internal.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** Finds the known word that a misspelled one probably means: the one the fewest edits away. */
public final class NearestWord {
  private NearestWord() {}

  /** Finds the nearest of the known words, ignoring case; empty if none is near. */
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
    int[] row = IntStream.rangeClosed(0, right.length()).toArray();
    for (int i = 0; i < left.length(); i++) {
      int diagonal = row[0]++;
      for (int j = 0; j < right.length(); j++) {
        int replaced = diagonal + (left.charAt(i) == right.charAt(j) ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = Math.min(replaced, 1 + Math.min(diagonal, row[j]));
      }
    }
    return row[right.length()];
  }
}
