package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.ChangePosition;
import io.weir.internal.rules.database.Sql;
import io.weir.rules.history.RuleChange;
import java.sql.Connection;
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
    return Sql.of(NOW)
        .one(
            connection,
            row ->
                new Place(row.getString(1), "", Long.MIN_VALUE, NewestChange.of(row, 2))
                    .position());
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
    ChangesWithin.Page page =
        ChangesWithin.read(
            connection,
            detail,
            column -> "COALESCE(pg_catalog.octet_length(CAST(" + column + " AS text)), 0)",
            rows -> newRows(from, until, rows),
            most);
    List<RuleChange> changes = page.changes();
    NewestChange newest = from.newest.orNewer(changes);
    boolean isMore = page.isMore() && !changes.isEmpty();
    Place next =
        isMore
            ? new Place(from.seen, until, changes.get(changes.size() - 1).number(), newest)
            : new Place(until, "", Long.MIN_VALUE, newest);
    return new ChangeBatch(changes, next.position(), isMore || from.isMiddle());
  }

  private static Sql newRows(Place from, String until, int most) {
    return Sql.of(
        NEW_ROWS, part(from.seen, 1), "{" + part(from.seen, 2) + "}", until, from.after, most);
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
    if (missing.isPresent()) {
      return missing;
    }
    return Sql.of(UNSEEN, from.newest.number(), from.seen).isAny(connection)
        ? Optional.of("there is a change of a transaction that counted as read")
        : Optional.empty();
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
