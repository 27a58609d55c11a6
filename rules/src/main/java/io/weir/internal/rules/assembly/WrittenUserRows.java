package io.weir.internal.rules.assembly;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.RowHistoryReader;
import io.weir.rules.history.RuleChange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Checks rows of users that were written, so that a problem is reported before the first request of
 * the user. Rows are checked once the rules are read that were written with them.
 *
 * <p>Confine to the thread of the feed.
 */
final class WrittenUserRows {
  private final Consumer<StoredRow> check;
  private final List<StoredRow> written = new ArrayList<>();

  WrittenUserRows(Consumer<StoredRow> check) {
    this.check = check;
  }

  void add(RuleChange change) {
    if (change.table().equals(RuleTable.USERS.tableName())) {
      RowHistoryReader.after(change).ifPresent(written::add);
    }
  }

  /** Checks what was added, the latest version of a row last. */
  void checkAll() {
    written.forEach(check);
    written.clear();
  }
}
