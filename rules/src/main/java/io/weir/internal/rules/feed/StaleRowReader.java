package io.weir.internal.rules.feed;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
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
   * @return whether any row may have changed
   */
  boolean read(
      RuleTable table, LastGoodRows<?> held, Function<StoredRow, List<StoredRow>> olderVersions) {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      Optional<Set<String>> keys = changes.find().rows(table);
      Optional<List<StoredRow>> rows = keys.flatMap(some -> database.withKeys(table, some));
      if (rows.isEmpty()) {
        break;
      }
      // What was committed meanwhile may belong to a transaction of which a part was read.
      if (changes.find().rows(table).equals(keys)) {
        changes.markRead(table);
        held.merge(keys.get(), rows.get(), olderVersions);
        return true;
      }
    }
    changes.markRead(table);
    return held.replace(database.all(table, held::sharing), olderVersions);
  }
}
