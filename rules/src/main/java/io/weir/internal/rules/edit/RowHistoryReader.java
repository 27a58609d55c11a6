package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.history.RuleChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads versions of rows from the history. */
public final class RowHistoryReader {
  private RowHistoryReader() {}

  /**
   * Returns all versions of a row that its changes name.
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

  /**
   * Returns the row after a change; empty if it was deleted, or its table isn't followed by nodes.
   */
  public static Optional<StoredRow> after(RuleChange change) {
    return change.after().flatMap(json -> row(change, json));
  }

  /**
   * Returns the users of the rows that a change of a table of users touched.
   *
   * @return one, or two if a row moved to another user; none if the change can't be read
   */
  public static Set<String> userIds(RuleChange change) {
    Set<String> userIds = new HashSet<>();
    for (StoredRow row : versions(List.of(change))) {
      String userId = row.columns().get(RuleTable.USER_ID);
      if (userId != null) {
        userIds.add(userId);
      }
    }
    return userIds;
  }

  private static Optional<StoredRow> row(RuleChange change, String json) {
    return RuleTable.named(change.table())
        .flatMap(
            table -> {
              try {
                return Optional.of(StoredRow.ofJson(table, change.rowKey(), json));
              } catch (IllegalArgumentException broken) {
                // The history was edited outside Weir: such a row can't be restored.
                return Optional.empty();
              }
            });
  }
}
