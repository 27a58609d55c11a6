package io.weir.internal.rules.nodes;

import io.weir.internal.rules.database.LargeQueries;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.outcomes.HourlyOutcomeBuffer;
import io.weir.rules.outcome.CurrentOutcomes;
import io.weir.rules.outcome.HourlyOutcomes;
import io.weir.rules.outcome.Outcomes;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Reads the outcomes of all nodes, and reports them to listeners.
 *
 * <p>Safe for concurrent use.
 */
final class StoredOutcomes implements Outcomes {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final String HOURS_UNREADABLE = "outcomes by hour can't be read";
  private static final String HOURS_LOST =
      "The database rejects sums by hour from this node (see its log), so they have less than was"
          + " decided.";

  private final RuleDatabase database;

  /** Runs queries apart from those of usage, so that charts don't wait for these. */
  private final LargeQueries sums;

  private final NodeReader reader;
  private final BooleanSupplier areHoursRejected;
  private final List<Consumer<CurrentOutcomes>> listeners = new CopyOnWriteArrayList<>();

  StoredOutcomes(RuleDatabase database, NodeReader reader, BooleanSupplier areHoursRejected) {
    this.database = database;
    this.sums = new LargeQueries(database);
    this.reader = reader;
    this.areHoursRejected = areHoursRejected;
  }

  @Override
  public CurrentOutcomes current() {
    NodeReader.NodeReports read = reader.read();
    OutcomeSummary summary = new OutcomeSummary(read.at());
    read.reports().forEach(summary::add);
    if (areHoursRejected.getAsBoolean()) {
      summary.note(HOURS_LOST);
    }
    return summary.sums();
  }

  @Override
  public AutoCloseable listen(Consumer<CurrentOutcomes> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** Sums up once for all listeners, if there are any. Failures are logged. */
  void publish() {
    if (listeners.isEmpty()) {
      return;
    }
    CurrentOutcomes now;
    try {
      now = current();
    } catch (RulesUnavailableException away) {
      LOG.log(Level.DEBUG, "rules: outcomes can't be reported now: " + away.getMessage());
      return;
    }
    for (Consumer<CurrentOutcomes> each : listeners) {
      try {
        each.accept(now);
      } catch (RuntimeException mistake) {
        LOG.log(Level.ERROR, "rules: a listener to outcomes failed", mistake);
      }
    }
  }

  @Override
  public List<HourlyOutcomes> hours(
      Optional<String> policy,
      Instant from,
      Instant until,
      Optional<HourlyOutcomes> last,
      int most) {
    requireRows(most);
    // The index on time leads to the last row by the first half of its condition; by one with OR
    // alone PostgreSQL would read all rows before it.
    Sql sql =
        Sql.of(
                "SELECT policy, starts_at, admitted, refused, soft, shadow_refused, degraded FROM"
                    + " weir."
                    + HourlyOutcomeBuffer.TABLE
                    + " WHERE starts_at >= ? AND starts_at < ?",
                from,
                until)
            .then(policy.map(name -> Sql.of(" AND policy = ?", name)))
            .then(
                last.map(
                    row ->
                        Sql.of(
                            " AND starts_at >= ? AND (starts_at > ? OR policy > ?)",
                            row.startsAt(),
                            row.startsAt(),
                            row.policy())))
            .then(" ORDER BY starts_at, policy LIMIT ?", most);
    return database.inTransaction(
        HOURS_UNREADABLE, connection -> sql.all(connection, StoredOutcomes::hour));
  }

  @Override
  public List<HourlyOutcomes> hoursOfAll(Instant from, Instant until, int most) {
    requireRows(most);
    Sql sql =
        Sql.of(
            "SELECT '"
                + HourlyOutcomes.OTHERS
                + "', starts_at, SUM(admitted), SUM(refused), SUM(soft), SUM(shadow_refused),"
                + " SUM(degraded) FROM weir."
                + HourlyOutcomeBuffer.TABLE
                + " WHERE starts_at >= ? AND starts_at < ? GROUP BY starts_at ORDER BY starts_at"
                + " LIMIT ?",
            from,
            until,
            most);
    return sums.run(
        HOURS_UNREADABLE,
        "shorten the time between from and to",
        connection -> sql.all(connection, StoredOutcomes::hour));
  }

  private static void requireRows(int most) {
    if (most < 1 || most > MAX_ROWS) {
      throw new IllegalArgumentException("most must be 1 to 1,000, not " + most);
    }
  }

  private static HourlyOutcomes hour(ResultSet row) throws SQLException {
    return new HourlyOutcomes(
        row.getString(1),
        Sql.time(row, 2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7));
  }
}
