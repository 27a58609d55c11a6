package io.weir.internal.access;

import io.weir.access.AccessEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds entries by the text of their subject. Of one subject those that deny come first, and of one
 * action those in force before those in shadow mode.
 *
 * <p>Confine to one thread while entries are added; afterwards safe for concurrent use.
 */
final class AccessEntries {
  /** The order in which entries are added. */
  static final Comparator<AccessEntry> ORDER =
      Comparator.comparing(AccessEntry::action).thenComparing(AccessEntry::isShadow);

  private final Map<String, List<AccessEntry>> byText = new HashMap<>();

  void add(AccessEntry entry) {
    byText.computeIfAbsent(entry.subject().value(), any -> new ArrayList<>(1)).add(entry);
  }

  boolean isEmpty() {
    return byText.isEmpty();
  }

  /** Finds the entries of a subject; null if there are none. */
  @Nullable List<AccessEntry> of(String text) {
    return byText.get(text);
  }
}
