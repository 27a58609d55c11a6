package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.ChangePosition;
import io.weir.rules.history.RuleChange;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Reads the changes of a PostgreSQL. Each row of {@code rule_changes} keeps the transaction that
 * wrote it, and a position is a snapshot: what it couldn't see yet, and the next one sees, is new.
 * So a transaction may commit as late as it likes, a number that was rolled back is never waited
 * for, and nothing comes twice.
 *
 * <p>A position that is in the middle of many changes is two snapshots and the number reached:
 * {@code OLD|NEW|NUMBER}.
 */
public final class SnapshotChangeReader implements ChangeReader {
  private static final String NEW_ROWS =
      " WHERE (transaction_id >= CAST(? AS xid8) OR transaction_id = ANY (CAST(? AS xid8[])))"
          + " AND pg_visible_in_snapshot(transaction_id, CAST(? AS pg_snapshot))"
          + " AND number > ? ORDER BY number LIMIT ?";

  /** A reader, which keeps nothing between its calls. */
  public SnapshotChangeReader() {}

  @Override
  public ChangePosition position(Connection connection) throws SQLException {
    return new ChangePosition(snapshot(connection));
  }

  private static String snapshot(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT CAST(pg_current_snapshot() AS text)");
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getString(1);
    }
  }

  @Override
  public ChangeBatch since(
      Connection connection, ChangePosition position, int most, ChangeDetail detail)
      throws SQLException {
    String[] parts = position.token().split("\\|", -1);
    String now = snapshot(connection);
    String seen = parts[0];
    // A transaction's number never falls, except where older data came in place of newer.
    if (Long.compareUnsigned(newest(now), newest(parts.length > 1 ? parts[1] : seen)) < 0) {
      return new ChangeBatch(List.of(), new ChangePosition(now), false, true);
    }
    String until = parts.length > 1 ? parts[1] : now;
    long after = parts.length > 1 ? Long.parseLong(parts[2]) : Long.MIN_VALUE;
    List<RuleChange> changes;
    try (PreparedStatement statement =
        connection.prepareStatement(HistoryTable.select(detail) + NEW_ROWS)) {
      statement.setString(1, part(seen, 1));
      statement.setString(2, "{" + part(seen, 2) + "}");
      statement.setString(3, until);
      statement.setLong(4, after);
      statement.setInt(5, most);
      changes = HistoryTable.rows(statement);
    }
    boolean isMore = changes.size() == most;
    return new ChangeBatch(
        changes,
        new ChangePosition(
            isMore ? seen + "|" + until + "|" + changes.get(most - 1).number() : until),
        isMore || parts.length > 1);
  }

  /** Returns the number that no transaction had yet when the snapshot was taken. */
  private static long newest(String snapshot) {
    return Long.parseUnsignedLong(part(snapshot, 1));
  }

  /** Of {@code xmin:xmax:running,running}. */
  private static String part(String snapshot, int index) {
    return snapshot.split(":", -1)[index];
  }
}
