package io.weir.internal.rules.anomalies;

import io.weir.Ticker;
import io.weir.internal.rules.database.AuthorName;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.SqlWork;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.anomaly.Anomalies;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.problem.ConflictException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and ends anomalies for people: the rows of {@code anomalies}. */
public final class StoredAnomalies implements Anomalies {
  /** The time for which no action follows after a person has ended one. */
  static final Duration ALLOWED = Duration.ofDays(1);

  private static final int MAX_ROWS = 1_000;

  private final RuleDatabase database;
  private final Ticker ticker;
  private final Runnable changed;
  private final AnomalyTable table = new AnomalyTable();

  /**
   * Opens the anomalies of a database.
   *
   * @param changed runs after each change; must not throw
   */
  public StoredAnomalies(RuleDatabase database, Ticker ticker, Runnable changed) {
    this.database = database;
    this.ticker = ticker;
    this.changed = changed;
  }

  @Override
  public List<Anomaly> current() {
    return read(connection -> table.current(connection, ticker.instant(), MAX_ROWS));
  }

  @Override
  public List<Anomaly> recent(int most) {
    checkCount(most);
    return read(connection -> table.recent(connection, most));
  }

  @Override
  public List<Anomaly> found(
      Optional<String> userId, Instant from, Instant to, Optional<Anomaly> after, int most) {
    checkCount(most);
    return read(connection -> table.found(connection, userId, from, to, after, most));
  }

  private static void checkCount(int most) {
    if (most < 1 || most > MAX_ROWS) {
      throw new IllegalArgumentException("most must be 1 to 1,000, not " + most);
    }
  }

  @Override
  public List<Anomaly> of(String userId) {
    return read(connection -> table.of(connection, userId, MAX_ROWS));
  }

  private List<Anomaly> read(SqlWork<List<Anomaly>> work) {
    return database.inTransaction("anomalies can't be read", work);
  }

  @Override
  public boolean end(String userId, String endpoint, String author) {
    AuthorName.checked(author);
    Instant now = ticker.instant();
    boolean isEnded = false;
    for (StoredRow row : database.ofUsers(RuleTable.ANOMALIES, List.of(userId))) {
      if (isCurrent(row, endpoint, now)) {
        isEnded |= end(row, now, author);
      }
    }
    if (isEnded) {
      Map<String, String> allowed = new LinkedHashMap<>();
      allowed.put("user_id", userId);
      allowed.put("endpoint", endpoint);
      allowed.put("score", "0");
      allowed.put("action", AnomalyAction.ALLOW.name());
      allowed.put("reason", "ended by " + author);
      allowed.put("since", now.toString());
      allowed.put("until", now.plus(ALLOWED).toString());
      database.insert(RuleTable.ANOMALIES, allowed, author);
      changed.run();
    }
    return isEnded;
  }

  private static boolean isCurrent(StoredRow row, String endpoint, Instant now) {
    return row.column("endpoint").equals(Optional.of(endpoint))
        && row.column("until").map(Instant::parse).orElse(Instant.EPOCH).isAfter(now)
        && !row.column("action").orElse("").equalsIgnoreCase(AnomalyAction.ALLOW.name());
  }

  private boolean end(StoredRow row, Instant now, String author) {
    Map<String, String> ended = new HashMap<>(row.columns());
    ended.put("until", now.toString());
    try {
      database.update(row, ended, author);
      return true;
    } catch (ConflictException gone) {
      return false; // another node has ended it
    }
  }
}
