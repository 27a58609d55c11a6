package io.weir.internal.rules.feed;

import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.RowJson;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.history.RuleChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Describes changes of rows of tables that Weir didn't make. They are in no history: they have no
 * number and no author, and their keys name their tables.
 */
final class ForeignChanges {
  private ForeignChanges() {}

  /** Returns the changes between two looks at a table, by the keys of its rows. */
  static List<RuleChange> between(
      Map<String, StoredRow> before, Map<String, StoredRow> after, Instant now) {
    TreeSet<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(after.keySet());
    List<RuleChange> changes = new ArrayList<>();
    for (String key : keys) {
      @Nullable StoredRow was = before.get(key);
      @Nullable StoredRow is = after.get(key);
      @Nullable StoredRow either = is == null ? was : is;
      if (either != null && !either.equals(is == null ? null : was)) {
        changes.add(
            new RuleChange(
                0,
                now,
                "",
                either.table().tableName(),
                either.column(ForeignRows.ORIGIN).orElse(key),
                json(was),
                json(is)));
      }
    }
    return changes;
  }

  private static Optional<String> json(@Nullable StoredRow row) {
    if (row == null) {
      return Optional.empty();
    }
    Map<String, String> columns = new TreeMap<>(row.columns());
    columns.keySet().removeAll(List.of(ForeignRows.ORIGIN, "version"));
    return Optional.of(RowJson.write(columns));
  }
}
