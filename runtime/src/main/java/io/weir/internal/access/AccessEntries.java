package io.weir.internal.access;

import io.weir.Ticker;
import io.weir.access.AccessEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds entries by the text of their subject. Of one subject those that deny come first, and of one
 * action those in force before those in shadow mode. Of several equal in that, only the one that
 * ends last is held: no request walks through a thousand that have expired.
 *
 * <p>Confine to one thread while entries are added; afterwards safe for concurrent use.
 */
final class AccessEntries {
  private static final Comparator<AccessEntry> ORDER =
      Comparator.comparing(AccessEntry::action)
          .thenComparing(AccessEntry::isShadow)
          .thenComparing(AccessEntry::isCounted);

  private final Map<String, List<AccessEntry>> byText = new HashMap<>();

  void add(AccessEntry entry) {
    add(entry, byText.computeIfAbsent(entry.subject().value(), any -> new ArrayList<>(1)));
  }

  /** Adds an entry to those of its subject, at its place. */
  static void add(AccessEntry entry, List<AccessEntry> ofSubject) {
    int at = Collections.binarySearch(ofSubject, entry, ORDER);
    if (at < 0) {
      ofSubject.add(-at - 1, entry);
    } else if (endsLater(entry, ofSubject.get(at))) {
      ofSubject.set(at, entry);
    }
  }

  private static boolean endsLater(AccessEntry one, AccessEntry other) {
    return other.end().isPresent()
        && (one.end().isEmpty() || one.end().get().isAfter(other.end().get()));
  }

  /** Returns whether an entry hasn't ended. */
  static boolean isActive(AccessEntry entry, Ticker ticker) {
    return entry.end().isEmpty() || ticker.instant().isBefore(entry.end().get());
  }

  boolean isEmpty() {
    return byText.isEmpty();
  }

  /** Finds the entries of a subject; null if there are none. */
  @Nullable List<AccessEntry> of(String text) {
    return byText.get(text);
  }
}
