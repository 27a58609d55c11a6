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
import java.util.Optional;

/**
 * Reads the changes of a PostgreSQL. Each row of {@code rule_changes} keeps the transaction that
 * wrote it, and a position is a snapshot: what it couldn't see yet, and the next one sees, is new.
 * So a transaction may commit as late as it likes, a number that was rolled back is never waited
 * for, and nothing comes twice.
 *
 * <p>A position that is in the middle of many changes is two snapshots and the number reached:
 * {@code OLD|NEW|NUMBER}. Behind a {@code #} it has the {@link NewestChange} that was read.
 *
 * <p>Data that has taken the place of other data (a backup that was restored, a replica that had
 * lagged) is recognized in three ways: no transaction has the numbers yet that the snapshot knows;
 * the newest change that was read is gone; or there is one with a larger number whose transaction
 * the snapshot took for seen.
 */
public final class SnapshotChangeReader implements ChangeReader {
  private static final String NEW_ROWS =
      " WHERE (transaction_id >= CAST(? AS xid8) OR transaction_id = ANY (CAST(? AS xid8[])))"
          + " AND pg_catalog.pg_visible_in_snapshot(transaction_id, CAST(? AS pg_snapshot))"
          + " AND number > ? ORDER BY number LIMIT ?";

  /** One statement sees all of this by one snapshot. */
  private static final String NOW =
      "SELECT CAST(pg_catalog.pg_current_snapshot() AS text), newest.number, newest.at"
          + " FROM (SELECT 1) one LEFT JOIN (SELECT number, at FROM weir.rule_changes"
          + " ORDER BY number DESC LIMIT 1) newest ON true";

  private static final String UNSEEN =
      "SELECT 1 FROM weir.rule_changes WHERE number > ? AND"
          + " pg_catalog.pg_visible_in_snapshot(transaction_id, CAST(? AS pg_snapshot)) LIMIT 1";

  private static final String MARK = "#";

  /** A reader, which keeps nothing between its calls. */
  public SnapshotChangeReader() {}

  /** Where reading continues: what was seen, where to stop, and after which number. */
  private record Place(String seen, String until, long after, NewestChange newest) {
    static Place of(ChangePosition position) {
      String[] all = position.token().split(MARK, -1);
      NewestChange newest = all.length > 1 ? NewestChange.of(all[1]) : NewestChange.NONE;
      String[] parts = all[0].split("\\|", -1);
      return parts.length > 1
          ? new Place(parts[0], parts[1], Long.parseLong(parts[2]), newest)
          : new Place(parts[0], "", Long.MIN_VALUE, newest);
    }

    boolean isMiddle() {
      return !until.isEmpty();
    }

    ChangePosition position() {
      String place = isMiddle() ? seen + "|" + until + "|" + after : seen;
      return new ChangePosition(place + MARK + newest);
    }
  }

  @Override
  public ChangePosition position(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NOW);
        ResultSet result = statement.executeQuery()) {
      result.next();
      NewestChange newest = NewestChange.of(result, 2);
      return new Place(result.getString(1), "", Long.MIN_VALUE, newest).position();
    }
  }

  @Override
  public ChangeBatch since(
      Connection connection, ChangePosition position, int most, ChangeDetail detail)
      throws SQLException {
    Place from = Place.of(position);
    ChangePosition current = position(connection);
    String now = Place.of(current).seen;
    Optional<String> loss = loss(connection, from, now);
    if (loss.isPresent()) {
      return ChangeBatch.lost(loss.get(), current);
    }
    String until = from.isMiddle() ? from.until : now;
    ChangesWithin.Page page = page(connection, detail, from, until, most);
    List<RuleChange> changes = List.of();
    if (page.rows() > 0) {
      try (PreparedStatement statement =
          connection.prepareStatement(HistoryTable.select(detail) + NEW_ROWS)) {
        bind(statement, from, until, page.rows());
        changes = HistoryTable.rows(statement);
      }
    }
    NewestChange newest = from.newest.orNewer(changes);
    boolean isMore = page.isMore() && !changes.isEmpty();
    Place next =
        isMore
            ? new Place(from.seen, until, changes.get(changes.size() - 1).number(), newest)
            : new Place(until, "", Long.MIN_VALUE, newest);
    return new ChangeBatch(changes, next.position(), isMore || from.isMiddle());
  }

  private static ChangesWithin.Page page(
      Connection connection, ChangeDetail detail, Place from, String until, int most)
      throws SQLException {
    String sizes = ChangesWithin.select(detail, SnapshotChangeReader::size);
    try (PreparedStatement statement = connection.prepareStatement(sizes + NEW_ROWS)) {
      bind(statement, from, until, most);
      return ChangesWithin.page(statement, most);
    }
  }

  private static String size(String column) {
    return "COALESCE(pg_catalog.octet_length(CAST(" + column + " AS text)), 0)";
  }

  private static void bind(PreparedStatement statement, Place from, String until, int most)
      throws SQLException {
    statement.setString(1, part(from.seen, 1));
    statement.setString(2, "{" + part(from.seen, 2) + "}");
    statement.setString(3, until);
    statement.setLong(4, from.after);
    statement.setInt(5, most);
  }

  /** Explains why the data isn't that of a position any more; empty if it is. */
  private static Optional<String> loss(Connection connection, Place from, String now)
      throws SQLException {
    // A transaction's number never falls, except where older data came in place of newer.
    String reached = from.isMiddle() ? from.until : from.seen;
    if (Long.compareUnsigned(newest(now), newest(reached)) < 0) {
      return Optional.of("its transactions have smaller numbers than before");
    }
    Optional<String> missing =
        from.newest.missing(NewestChange.find(connection, from.newest.number()));
    return missing.isPresent() ? missing : unseen(connection, from);
  }

  private static Optional<String> unseen(Connection connection, Place from) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(UNSEEN)) {
      statement.setLong(1, from.newest.number());
      statement.setString(2, from.seen);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of("there is a change of a transaction that counted as read")
            : Optional.empty();
      }
    }
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
