package io.weir.internal.access;

import io.weir.access.AccessEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The entries in the text of {@code weir.access.file}, one a line. Confine to one thread.
 *
 * @param entries the valid ones
 * @param mistakes the others, by the number of their line, with the rule that they break
 */
record AccessFileText(List<AccessEntry> entries, AccessMistakes mistakes) {
  static AccessFileText parse(String text) {
    List<AccessEntry> entries = new ArrayList<>();
    AccessMistakes mistakes = new AccessMistakes();
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      String stripped = line.strip();
      if (!stripped.isEmpty() && stripped.charAt(0) != '#' && stripped.charAt(0) != ';') {
        try {
          entries.add(AccessEntry.parse(stripped));
        } catch (IllegalArgumentException mistake) {
          mistakes.add("line " + number + ": " + mistake.getMessage());
        }
      }
    }
    return new AccessFileText(List.copyOf(entries), mistakes);
  }
}
