package io.weir.internal.rules.database;

import io.weir.rules.RuleChange;
import java.util.List;

/**
 * What was new since a position.
 *
 * @param changes by number
 * @param position where to go on from
 * @param isMore whether there is more already
 */
public record ChangeBatch(List<RuleChange> changes, ChangePosition position, boolean isMore) {
  /**
   * Takes the changes as they are.
   *
   * @param changes see the record
   * @param position see the record
   * @param isMore see the record
   */
  public ChangeBatch {
    changes = List.copyOf(changes);
  }
}
