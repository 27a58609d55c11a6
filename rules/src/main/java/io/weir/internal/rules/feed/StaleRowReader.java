package io.weir.internal.rules.feed;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the stale rows of a table: all of them, or only those that have changed where that is
 * known.
 *
 * <p>Guarded by the lock of {@link RuleFeed}.
 */
final class StaleRowReader {
  private static final int MOST_TRIES = 3;

  private final RuleDatabase database;
  private final TableChangeDetector changes;

  StaleRowReader(RuleDatabase database, TableChangeDetector changes) {
    this.database = database;
    this.changes = changes;
  }

  /**
   * Reads the stale rows of a table into those that are held. The table isn't stale from then on,
   * unless further changes are found.
   *
   * <p>Rows count as read only if no change of the table was found since they were asked for: one
   * of a row that was just read makes it stale again, and one of another row may belong to a
   * transaction of which a part was read.
   *
   * @return whether any row may have changed
   */
  boolean read(
      RuleTable table, LastGoodRows<?> held, Function<StoredRow, List<StoredRow>> olderVersions) {
    Set<String> keys = new HashSet<>();
    StaleTables stale = changes.find();
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      Optional<Set<String>> more = stale.rows(table);
      changes.markRead(table);
      keys.addAll(more.orElse(Set.of()));
      Optional<List<StoredRow>> rows =
          more.isEmpty() || keys.size() > RuleDatabase.MAX_KEYS
              ? Optional.empty()
              : database.withKeys(table, keys);
      if (rows.isEmpty()) {
        break;
      }
      stale = changes.find();
      if (!stale.contains(table)) {
        held.merge(keys, rows.get(), olderVersions);
        return true;
      }
    }
    changes.markRead(table);
    return held.replace(database.all(table, held::sharing), olderVersions);
  }
}
