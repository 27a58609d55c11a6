package io.weir.internal.rules.access;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.problem.ConflictException;
import java.util.Optional;

/** Deletes rows of {@code weir_sessions}. */
final class SessionTable {
  static final String AUTHOR = "sign-in";

  private SessionTable() {}

  /** Deletes a session by its hash, and reads no other row; returns false if there is none. */
  static boolean delete(RuleDatabase database, String hash) {
    Optional<StoredRow> row = database.find(RuleTable.SESSIONS, hash);
    row.ifPresent(each -> delete(database, each));
    return row.isPresent();
  }

  static void delete(RuleDatabase database, StoredRow row) {
    try {
      database.delete(row, AUTHOR);
    } catch (ConflictException gone) {
      // another node has deleted it
    }
  }
}
