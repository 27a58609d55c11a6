package io.weir.internal.access;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects what is wrong with entries: the first few in words, of all the number. A list of the
 * wrong kind has nothing but mistakes. Confine to one thread.
 */
final class AccessMistakes {
  private static final int MOST_TOLD = 10;
  private static final int LONGEST = 300;

  private final List<String> told = new ArrayList<>();
  private int count;

  void add(String mistake) {
    count++;
    if (count <= MOST_TOLD) {
      told.add(mistake.length() > LONGEST ? mistake.substring(0, LONGEST) + "…" : mistake);
    }
  }

  boolean areNone() {
    return count == 0;
  }

  @Override
  public String toString() {
    int more = count - told.size();
    return String.join("; ", told) + (more > 0 ? "; and " + more + " more" : "");
  }
}
