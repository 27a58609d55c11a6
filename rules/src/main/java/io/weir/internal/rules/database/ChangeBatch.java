package io.weir.internal.rules.database;

import io.weir.rules.history.RuleChange;
import java.util.List;
import java.util.Optional;

/**
 * The changes since a position.
 *
 * @param changes by number; one may come twice, none is left out
 * @param position where to go on from
 * @param isMore whether there is more already
 * @param loss why the database isn't the one of that position any more (restored, or failed over
 *     with a loss): what was read of it may be wrong now, so all is to be read again. Empty if it
 *     is
 */
public record ChangeBatch(
    List<RuleChange> changes, ChangePosition position, boolean isMore, Optional<String> loss) {
  public ChangeBatch {
    changes = List.copyOf(changes);
  }

  public ChangeBatch(List<RuleChange> changes, ChangePosition position, boolean isMore) {
    this(changes, position, isMore, Optional.empty());
  }

  public static ChangeBatch lost(String reason, ChangePosition position) {
    return new ChangeBatch(List.of(), position, false, Optional.of(reason));
  }

  public boolean isLost() {
    return loss.isPresent();
  }
}
