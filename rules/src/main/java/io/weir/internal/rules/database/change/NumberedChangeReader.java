package io.weir.internal.rules.database.change;

import io.weir.Ticker;
import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.ChangePosition;
import io.weir.rules.history.RuleChange;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the changes of an H2, which doesn't show open transactions: a number that is missing below
 * the newest is looked for again for ten minutes.
 */
public final class NumberedChangeReader implements ChangeReader {
  /** The longest that a transaction may be open so that its changes are still found. */
  static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(10);

  private static final String OLD =
      "SELECT COALESCE(MAX(number), 0) FROM weir.rule_changes WHERE at < ?";
  private static final String RECENT =
      "SELECT number FROM weir.rule_changes WHERE number > ? ORDER BY number";

  private final Ticker ticker;

  public NumberedChangeReader(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public ChangePosition position(Connection connection) throws SQLException {
    Instant now = ticker.instant();
    SequenceGaps numbers = new SequenceGaps(old(connection, now.minus(LONGEST_TRANSACTION)));
    try (PreparedStatement statement = connection.prepareStatement(RECENT)) {
      statement.setLong(1, numbers.newest());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          numbers.found(rows.getLong(1), now.plus(LONGEST_TRANSACTION));
        }
      }
    }
    return numbers.position();
  }

  private static long old(Connection connection, Instant before) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OLD)) {
      statement.setObject(1, before.atOffset(ZoneOffset.UTC));
      return number(statement);
    }
  }

  private static long number(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getLong(1);
    }
  }

  @Override
  public ChangeBatch since(
      Connection connection, ChangePosition position, int most, ChangeDetail detail)
      throws SQLException {
    Instant now = ticker.instant();
    SequenceGaps numbers = SequenceGaps.of(position);
    numbers.forget(now);
    if (newest(connection) < numbers.newest()) {
      return new ChangeBatch(List.of(), position(connection), false, true);
    }
    List<RuleChange> changes = new ArrayList<>();
    for (SequenceGaps.Range range : numbers.ranges()) {
      int left = most - changes.size();
      changes.addAll(between(connection, detail, range.from(), range.to(), left));
    }
    changes.addAll(
        between(connection, detail, numbers.newest() + 1, Long.MAX_VALUE, most - changes.size()));
    for (RuleChange change : changes) {
      numbers.found(change.number(), now.plus(LONGEST_TRANSACTION));
    }
    return new ChangeBatch(changes, numbers.position(), changes.size() == most);
  }

  private static long newest(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT COALESCE(MAX(number), 0) FROM weir.rule_changes")) {
      return number(statement);
    }
  }

  private static List<RuleChange> between(
      Connection connection, ChangeDetail detail, long from, long to, int most)
      throws SQLException {
    if (most == 0) {
      return List.of();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            HistoryTable.select(detail)
                + " WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?")) {
      statement.setLong(1, from);
      statement.setLong(2, to);
      statement.setInt(3, most);
      return HistoryTable.rows(statement);
    }
  }
}
