package io.weir.internal.rules.assembly;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.RowHistoryReader;
import io.weir.rules.history.RuleChange;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Checks rows of users that were written, so that a problem is reported before the first request of
 * the user. Rows are checked once the rules are read that were written with them. Beyond {@value
 * #MAX_CHARACTERS} characters rows are checked when their users are looked up, as others are.
 *
 * <p>Confine to the thread of the feed.
 */
final class WrittenUserRows {
  private static final long MAX_CHARACTERS = 2_000_000;

  private final Consumer<StoredRow> check;
  private final Map<String, StoredRow> written = new LinkedHashMap<>();
  private long characters;

  WrittenUserRows(Consumer<StoredRow> check) {
    this.check = check;
  }

  void add(RuleChange change) {
    if (change.table().equals(RuleTable.USERS.tableName())) {
      RowHistoryReader.after(change).ifPresent(this::add);
    }
  }

  private void add(StoredRow row) {
    long length = row.columns().values().stream().mapToLong(String::length).sum();
    if (characters + length <= MAX_CHARACTERS) {
      characters += length;
      written.put(row.key(), row);
    } else {
      written.remove(row.key());
    }
  }

  /** Checks the latest versions of what was added. */
  void checkAll() {
    written.values().forEach(check);
    written.clear();
    characters = 0;
  }
}
