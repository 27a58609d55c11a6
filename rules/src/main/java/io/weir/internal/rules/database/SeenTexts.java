package io.weir.internal.rules.database;

import org.jspecify.annotations.Nullable;

/**
 * Finds texts that were seen shortly before, so that rows share them: most columns of most rows
 * have one of a few values. Those that are seen once push others out, but few at a time.
 *
 * <p>Confine to one thread.
 */
final class SeenTexts {
  private static final int PLACES = 512;

  private final @Nullable String[] seen = new String[PLACES];

  /** Returns an equal text that was seen before, or the text itself. */
  String shared(String text) {
    int hash = text.hashCode();
    int place = (hash ^ hash >>> 9) & PLACES - 1;
    String before = seen[place];
    if (text.equals(before)) {
      return before;
    }
    seen[place] = text;
    return text;
  }
}
