package io.weir.internal.rules.feed;

import java.util.Collection;

/**
 * Is told whose rows in {@code user_tiers} have changed. Called in the thread that reads the
 * changes; returns at once.
 */
public interface UserChanges {
  /**
   * Rows were added, changed or deleted.
   *
   * @param userIds whose; as the rows have them
   */
  void drop(Collection<String> userIds);

  /** So many rows have changed that they aren't named, or it isn't known which. */
  void dropAll();
}
