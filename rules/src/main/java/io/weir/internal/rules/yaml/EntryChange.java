package io.weir.internal.rules.yaml;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Pairs an entry of the database with that of a file.
 *
 * @param before the entry of the database; null if the file adds it
 * @param after the entry of the file; null if the file removes it
 */
record EntryChange(@Nullable RulebookEntry before, @Nullable RulebookEntry after) {
  /** Returns the entry of the file, else that of the database. */
  RulebookEntry either() {
    return after != null ? after : Objects.requireNonNull(before);
  }

  boolean isUnchanged() {
    return before != null && after != null && before.columns().equals(after.columns());
  }
}
