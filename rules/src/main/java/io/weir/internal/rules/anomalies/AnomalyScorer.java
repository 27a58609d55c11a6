package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.anomalies.CallerMinute.CallerAtEndpoint;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.Sha256Digest;
import io.weir.internal.rules.database.Sql;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Scores the requests of all callers in one minute, records anomalies, and updates the baselines.
 * Each page of callers has a transaction of its own, so that a minute of many callers locks little
 * at a time.
 *
 * <p>Confine to one thread.
 */
final class AnomalyScorer {
  static final Duration ACTION_LASTS = Duration.ofMinutes(10);

  private static final Logger LOG = System.getLogger("io.weir");
  private static final int PAGE_SIZE = 2_000;
  private static final int MAX_CURRENT = 10_000;
  private static final int MAX_ANOMALIES_PER_PAGE = 1_000;
  private static final int MAX_LOGGED = 10;
  private static final int MAX_PURGED_ROWS = 1_000;

  /** An action that ends before the next minute is scored can be followed by another one. */
  private static final Duration UNTIL_NEXT_MINUTE = Duration.ofSeconds(70);

  private static final String MINUTE =
      "SELECT user_id, endpoint, requests FROM weir.usage_minutes"
          + " WHERE starts_at = ? AND (user_id > ? OR user_id = ? AND endpoint > ?)"
          + " ORDER BY user_id, endpoint LIMIT ?";

  private final RuleDatabase database;
  private final AnomalyAction strongest;
  private final AnomalyTable anomalies = new AnomalyTable();
  private boolean isLackLogged;

  private record Page(List<CallerMinute> minutes, List<Anomaly> found) {}

  AnomalyScorer(RuleDatabase database, AnomalyAction strongest) {
    this.database = database;
    this.strongest = strongest;
  }

  /**
   * Scores a minute that all nodes have written.
   *
   * @param minute since the epoch
   * @throws io.weir.rules.problem.RulesUnavailableException if the database is unavailable; some
   *     pages may have been scored
   */
  List<Anomaly> score(long minute, Instant now) {
    Map<CallerAtEndpoint, AnomalyAction> lasting =
        database.inTransaction(
            "anomalies can't be read",
            connection -> lasting(connection, now.plus(UNTIL_NEXT_MINUTE), now));
    List<Anomaly> found = new ArrayList<>();
    CallerMinute last = new CallerMinute("", "", 0);
    boolean isMore = true;
    while (isMore) {
      CallerMinute after = last;
      Page page =
          database.inTransaction(
              "rules: anomalies can't be detected",
              connection -> page(connection, minute, after, lasting, now));
      found.addAll(page.found);
      isMore = page.minutes.size() == PAGE_SIZE && !Thread.currentThread().isInterrupted();
      if (isMore) {
        last = page.minutes.get(PAGE_SIZE - 1);
      }
    }
    log(found);
    return found;
  }

  /** Returns the actions that last until the next minute is scored. */
  private Map<CallerAtEndpoint, AnomalyAction> lasting(
      Connection connection, Instant until, Instant now) throws SQLException {
    Map<CallerAtEndpoint, AnomalyAction> lasting = new HashMap<>();
    if (hasTables(connection)) {
      for (Anomaly each : anomalies.current(connection, now, MAX_CURRENT)) {
        boolean isAllowed = each.action() == AnomalyAction.ALLOW;
        if (isAllowed || each.until().isAfter(until)) {
          lasting.merge(
              new CallerAtEndpoint(each.userId(), each.endpoint()),
              each.action(),
              AnomalyScorer::stronger);
        }
      }
    }
    return lasting;
  }

  /** Returns the stronger action; a permission by a person overrides both. */
  private static AnomalyAction stronger(AnomalyAction one, AnomalyAction other) {
    boolean isAllowed = one == AnomalyAction.ALLOW || other == AnomalyAction.ALLOW;
    return isAllowed ? AnomalyAction.ALLOW : one.compareTo(other) > 0 ? one : other;
  }

  private boolean hasTables(Connection connection) throws SQLException {
    Set<String> tables = Set.of("usage_minutes", "anomalies", BehaviorTable.NAME);
    boolean hasAll = database.dialect().tables(connection, tables).size() == tables.size();
    if (!hasAll && !isLackLogged) {
      isLackLogged = true;
      LOG.log(
          Level.WARNING,
          "rules: the database lacks usage_minutes, anomalies or user_behaviors: anomalies aren't"
              + " detected");
    }
    return hasAll;
  }

  private Page page(
      Connection connection,
      long minute,
      CallerMinute after,
      Map<CallerAtEndpoint, AnomalyAction> lasting,
      Instant now)
      throws SQLException {
    if (!hasTables(connection)) {
      return new Page(List.of(), List.of());
    }
    BehaviorTable behaviors = new BehaviorTable(connection);
    List<CallerMinute> minutes = read(connection, minute, after);
    Map<CallerAtEndpoint, Baseline> known =
        behaviors.read(minutes.stream().map(CallerMinute::userId).toList());
    Map<CallerAtEndpoint, Baseline> changed = new LinkedHashMap<>();
    Map<CallerAtEndpoint, Baseline> added = new LinkedHashMap<>();
    List<Anomaly> found = new ArrayList<>();
    for (CallerMinute each : minutes) {
      CallerAtEndpoint at = each.callerAtEndpoint();
      Baseline baseline = known.getOrDefault(at, Baseline.NONE);
      boolean isAllowed = lasting.get(at) == AnomalyAction.ALLOW;
      double score = isAllowed ? 0 : baseline.score(each.requests());
      AnomalyAction action = ScoreThresholds.action(score, strongest);
      if (action.compareTo(lasting.getOrDefault(at, AnomalyAction.ALLOW)) > 0) {
        found.add(anomaly(each, baseline, score, action, now));
      }
      Baseline learned = baseline.with(each.requests(), minute, score > ScoreThresholds.MONITOR);
      if (known.containsKey(at)) {
        changed.put(at, learned);
      } else {
        added.put(at, learned);
      }
    }
    List<Anomaly> worst = worst(found);
    behaviors.update(changed, now);
    behaviors.insert(added, now);
    AnomalyTable.insert(connection, worst);
    return new Page(minutes, worst);
  }

  private static List<CallerMinute> read(Connection connection, long minute, CallerMinute after)
      throws SQLException {
    return Sql.of(
            MINUTE,
            EpochMinutes.begin(minute),
            after.userId(),
            after.userId(),
            after.endpoint(),
            PAGE_SIZE)
        .all(
            connection,
            row -> new CallerMinute(row.getString(1), row.getString(2), row.getLong(3)));
  }

  private static List<Anomaly> worst(List<Anomaly> found) {
    return found.stream()
        .sorted((one, other) -> Double.compare(other.score(), one.score()))
        .limit(MAX_ANOMALIES_PER_PAGE)
        .toList();
  }

  private static Anomaly anomaly(
      CallerMinute minute, Baseline baseline, double score, AnomalyAction action, Instant now) {
    String reason =
        String.format(
            Locale.ROOT,
            "%,d requests in a minute, usually %,d",
            minute.requests(),
            baseline.median());
    return new Anomaly(
        minute.userId(),
        minute.endpoint(),
        score,
        true,
        reason,
        action,
        now,
        now.plus(ACTION_LASTS));
  }

  private static void log(List<Anomaly> found) {
    for (Anomaly each : found.subList(0, Math.min(MAX_LOGGED, found.size()))) {
      LOG.log(
          Level.INFO,
          "rules: unusual: "
              + Sha256Digest.user(each.userId())
              + " at "
              + each.endpoint()
              + ": "
              + each.reason()
              + ": "
              + each.action().name().toLowerCase(Locale.ROOT));
    }
    if (found.size() > MAX_LOGGED) {
      LOG.log(Level.INFO, "rules: unusual: " + (found.size() - MAX_LOGGED) + " more");
    }
  }

  void purge(Instant now) {
    var unused =
        database.inTransaction(
            "user_behaviors can't be purged",
            connection -> {
              boolean isThere =
                  !database.dialect().tables(connection, Set.of(BehaviorTable.NAME)).isEmpty();
              if (isThere) {
                new BehaviorTable(connection).purge(database.dialect(), now, MAX_PURGED_ROWS);
              }
              return isThere;
            });
  }
}
