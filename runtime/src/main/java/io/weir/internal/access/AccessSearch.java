package io.weir.internal.access;

import io.weir.Ticker;
import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what the entries of a request's subjects say together. Confine to one thread. */
final class AccessSearch {
  private final Ticker ticker;
  private @Nullable AccessEntry entry;
  private @Nullable AccessEntry shadow;

  /**
   * Whether an entry in shadow mode was found for this subject; less specific ones don't matter.
   */
  private boolean isInShadow;

  /** Goes on with what was found before. */
  AccessSearch(AccessFinding before, Ticker ticker) {
    this.entry = before.entry().orElse(null);
    this.shadow = before.shadow().orElse(null);
    this.ticker = ticker;
  }

  void nextSubject() {
    isInShadow = false;
  }

  /** Returns whether a denial was found, which nothing overrules. */
  boolean denies() {
    return entry != null && entry.action() == AccessAction.DENY;
  }

  /**
   * Considers entries of one subject, in the order of {@link AccessEntries}.
   *
   * @return whether one of them is in force, so that less specific ones don't matter
   */
  boolean consider(@Nullable List<AccessEntry> ofSubject) {
    if (ofSubject == null) {
      return false;
    }
    for (int i = 0; i < ofSubject.size(); i++) {
      AccessEntry each = ofSubject.get(i);
      if (AccessEntries.isActive(each, ticker)) {
        if (!each.isShadow()) {
          entry = stronger(entry, each);
          return true;
        }
        if (!isInShadow) {
          shadow = stronger(shadow, each);
          isInShadow = true;
        }
      }
    }
    return false;
  }

  private static AccessEntry stronger(@Nullable AccessEntry known, AccessEntry other) {
    if (known == null) {
      return other;
    }
    return other.action() == AccessAction.DENY && known.action() == AccessAction.ALLOW
        ? other
        : known;
  }

  AccessFinding found(boolean waits) {
    return AccessFinding.of(entry, shadow, waits);
  }
}
