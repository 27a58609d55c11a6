package io.weir.internal.rules.database.change;

import io.weir.Ticker;
import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.ChangePosition;
import io.weir.internal.rules.database.Sql;
import io.weir.rules.history.RuleChange;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
  private static final String BETWEEN = " WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?";
  private static final String MARK = "#";

  private final Ticker ticker;

  public NumberedChangeReader(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public ChangePosition position(Connection connection) throws SQLException {
    Instant now = ticker.instant();
    SequenceGaps numbers =
        new SequenceGaps(
            Sql.of(OLD, now.minus(LONGEST_TRANSACTION)).one(connection, row -> row.getLong(1)));
    Sql.of(RECENT, numbers.newest())
        .each(connection, row -> numbers.found(row.getLong(1), now.plus(LONGEST_TRANSACTION)));
    return position(numbers, NewestChange.find(connection, numbers.newest()));
  }

  private static ChangePosition position(SequenceGaps numbers, NewestChange newest) {
    return new ChangePosition(numbers.position().token() + MARK + newest);
  }

  @Override
  public ChangeBatch since(
      Connection connection, ChangePosition position, int most, ChangeDetail detail)
      throws SQLException {
    Instant now = ticker.instant();
    String[] parts = position.token().split(MARK, -1);
    SequenceGaps numbers = SequenceGaps.of(new ChangePosition(parts[0]));
    NewestChange known =
        parts.length > 1 ? NewestChange.of(parts[1]) : new NewestChange(numbers.newest(), -1);
    numbers.forget(now);
    Optional<String> loss = known.missing(NewestChange.find(connection, known.number()));
    if (loss.isPresent()) {
      return ChangeBatch.lost(loss.get(), position(connection));
    }
    List<RuleChange> changes = new ArrayList<>();
    boolean isMore = false;
    for (SequenceGaps.Range range : ranges(numbers)) {
      int left = most - changes.size();
      isMore |= left == 0;
      if (!isMore) {
        ChangesWithin.Page page =
            ChangesWithin.read(
                connection,
                detail,
                column -> "COALESCE(OCTET_LENGTH(" + column + "), 0)",
                rows -> Sql.of(BETWEEN, range.from(), range.to(), rows),
                left);
        changes.addAll(page.changes());
        isMore = page.isMore();
      }
    }
    for (RuleChange change : changes) {
      numbers.found(change.number(), now.plus(LONGEST_TRANSACTION));
    }
    return new ChangeBatch(changes, position(numbers, known.orNewer(changes)), isMore);
  }

  /** Returns the numbers to look for: missing ones first, then all that are new. */
  private static List<SequenceGaps.Range> ranges(SequenceGaps numbers) {
    List<SequenceGaps.Range> ranges = new ArrayList<>(numbers.ranges());
    ranges.add(new SequenceGaps.Range(numbers.newest() + 1, Long.MAX_VALUE, Long.MAX_VALUE));
    return ranges;
  }
}
