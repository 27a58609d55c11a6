package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.RuleChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rows as the history has them. */
public final class PastRows {
  private PastRows() {}

  /**
   * All versions of a row that its changes name.
   *
   * @param changes the newest first
   * @return the newest first
   */
  public static List<StoredRow> versions(List<RuleChange> changes) {
    List<StoredRow> versions = new ArrayList<>();
    for (RuleChange change : changes) {
      after(change).ifPresent(versions::add);
      change.before().flatMap(json -> row(change, json)).ifPresent(versions::add);
    }
    return versions;
  }

  /** The row after a change; nothing if it was deleted, or isn't of a table that nodes follow. */
  static Optional<StoredRow> after(RuleChange change) {
    return change.after().flatMap(json -> row(change, json));
  }

  /** The table of a change; nothing if nodes don't follow it. */
  static Optional<RuleTable> table(RuleChange change) {
    return List.of(RuleTable.values()).stream()
        .filter(table -> table.tableName().equals(change.table()))
        .findAny();
  }

  private static Optional<StoredRow> row(RuleChange change, String json) {
    return table(change)
        .flatMap(
            table -> {
              try {
                return Optional.of(StoredRow.ofJson(table, change.rowKey(), json));
              } catch (IllegalArgumentException broken) {
                // Somebody has written to the history: that is no version to go back to.
                return Optional.empty();
              }
            });
  }
}
