package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.anomalies.CallerMinute.Place;
import io.weir.internal.rules.database.Sha256Digest;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.rules.Anomaly;
import io.weir.rules.AnomalyAction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges what all callers did in one minute, page by page, and learns from it: one transaction a
 * page, so that a minute of many callers holds nobody up.
 *
 * <p>Confine to one thread.
 */
final class AnomalyJudge {
  /** Every action ends after it. */
  static final Duration ACTION = Duration.ofMinutes(10);

  private static final Logger LOG = System.getLogger("io.weir");
  private static final int PAGE = 2_000;
  private static final int MOST_CURRENT = 10_000;
  private static final int MOST_A_PAGE = 1_000;
  private static final int MOST_LOGGED = 10;
  private static final int ROWS_TO_PURGE = 1_000;

  /** One that ends before the next minute is judged is followed by another at once. */
  private static final Duration PAUSE = Duration.ofSeconds(70);

  private static final String MINUTE =
      "SELECT user_id, endpoint, requests FROM usage_minutes"
          + " WHERE starts_at = ? AND (user_id > ? OR user_id = ? AND endpoint > ?)"
          + " ORDER BY user_id, endpoint LIMIT ?";

  private final RuleDatabase database;
  private final AnomalyAction most;
  private final AnomalyTable anomalies = new AnomalyTable();
  private boolean isTold;

  /** What one page comes to. */
  private record Page(List<CallerMinute> minutes, List<Anomaly> found) {}

  AnomalyJudge(RuleDatabase database, AnomalyAction most) {
    this.database = database;
    this.most = most;
  }

  /**
   * Judges a minute that is over on all nodes.
   *
   * @param minute since the epoch
   * @param now the time
   * @return what was found, and is in the table now
   * @throws io.weir.rules.RulesUnavailableException if the database is away; some pages may have
   *     been judged
   */
  List<Anomaly> judge(long minute, Instant now) {
    Map<Place, AnomalyAction> lasting =
        database.inTransaction(
            "anomalies can't be read", connection -> lasting(connection, now.plus(PAUSE), now));
    List<Anomaly> found = new ArrayList<>();
    CallerMinute last = new CallerMinute("", "", 0);
    boolean isMore = true;
    while (isMore) {
      CallerMinute after = last;
      Page page =
          database.inTransaction(
              "anomalies can't be looked for",
              connection -> page(connection, minute, after, lasting, now));
      found.addAll(page.found);
      isMore = page.minutes.size() == PAGE && !Thread.currentThread().isInterrupted();
      if (isMore) {
        last = page.minutes.get(PAGE - 1);
      }
    }
    tell(found);
    return found;
  }

  /** What is being done about callers, and goes on until the next minute is judged. */
  private Map<Place, AnomalyAction> lasting(Connection connection, Instant until, Instant now)
      throws SQLException {
    Map<Place, AnomalyAction> lasting = new HashMap<>();
    if (hasTables(connection)) {
      for (Anomaly each : anomalies.current(connection, now, MOST_CURRENT)) {
        boolean isAllowed = each.action() == AnomalyAction.ALLOW;
        if (isAllowed || each.until().isAfter(until)) {
          lasting.merge(
              new Place(each.userId(), each.endpoint()), each.action(), AnomalyJudge::stronger);
        }
      }
    }
    return lasting;
  }

  /** What a person allows goes before all that was found. */
  private static AnomalyAction stronger(AnomalyAction one, AnomalyAction other) {
    boolean isAllowed = one == AnomalyAction.ALLOW || other == AnomalyAction.ALLOW;
    return isAllowed ? AnomalyAction.ALLOW : one.compareTo(other) > 0 ? one : other;
  }

  private boolean hasTables(Connection connection) throws SQLException {
    Set<String> tables = Set.of("usage_minutes", "anomalies");
    boolean hasAll =
        database.dialect().tables(connection, tables).size() == tables.size()
            && BehaviorTable.find(connection).isPresent();
    if (!hasAll && !isTold) {
      isTold = true;
      LOG.log(
          Level.WARNING,
          "rules: the database lacks usage_minutes, anomalies or columns of user_behaviors: no"
              + " anomalies are looked for");
    }
    return hasAll;
  }

  private Page page(
      Connection connection,
      long minute,
      CallerMinute after,
      Map<Place, AnomalyAction> lasting,
      Instant now)
      throws SQLException {
    Optional<BehaviorTable> behaviors =
        hasTables(connection) ? BehaviorTable.find(connection) : Optional.empty();
    if (behaviors.isEmpty()) {
      return new Page(List.of(), List.of());
    }
    List<CallerMinute> minutes = read(connection, minute, after);
    Map<Place, Baseline> known =
        behaviors.get().read(minutes.stream().map(CallerMinute::userId).toList());
    Map<Place, Baseline> changed = new LinkedHashMap<>();
    Map<Place, Baseline> added = new LinkedHashMap<>();
    List<Anomaly> found = new ArrayList<>();
    for (CallerMinute each : minutes) {
      Place place = each.place();
      Baseline baseline = known.getOrDefault(place, Baseline.NONE);
      boolean isAllowed = lasting.get(place) == AnomalyAction.ALLOW;
      double score = isAllowed ? 0 : baseline.score(each.requests());
      AnomalyAction action = Scores.action(score, most);
      if (action.compareTo(lasting.getOrDefault(place, AnomalyAction.ALLOW)) > 0) {
        found.add(anomaly(each, baseline, score, action, now));
      }
      Baseline learned = baseline.with(each.requests(), minute, score > Scores.MONITOR);
      if (known.containsKey(place)) {
        changed.put(place, learned);
      } else if (behaviors.get().fits(place)) {
        added.put(place, learned);
      }
    }
    List<Anomaly> worst = worst(found);
    behaviors.get().update(changed, now);
    behaviors.get().insert(added, now);
    AnomalyTable.insert(connection, worst);
    return new Page(minutes, worst);
  }

  private static List<CallerMinute> read(Connection connection, long minute, CallerMinute after)
      throws SQLException {
    List<CallerMinute> minutes = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(MINUTE)) {
      statement.setObject(1, Minutes.begin(minute).atOffset(ZoneOffset.UTC));
      statement.setString(2, after.userId());
      statement.setString(3, after.userId());
      statement.setString(4, after.endpoint());
      statement.setInt(5, PAGE);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          minutes.add(new CallerMinute(row.getString(1), row.getString(2), row.getLong(3)));
        }
      }
    }
    return minutes;
  }

  private static List<Anomaly> worst(List<Anomaly> found) {
    return found.stream()
        .sorted((one, other) -> Double.compare(other.score(), one.score()))
        .limit(MOST_A_PAGE)
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
        minute.userId(), minute.endpoint(), score, true, reason, action, now, now.plus(ACTION));
  }

  private static void tell(List<Anomaly> found) {
    for (Anomaly each : found.subList(0, Math.min(MOST_LOGGED, found.size()))) {
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
    if (found.size() > MOST_LOGGED) {
      LOG.log(Level.INFO, "rules: unusual: " + (found.size() - MOST_LOGGED) + " more");
    }
  }

  /** Deletes some of the baselines of callers who haven't come for long. */
  void purge(Instant now) {
    var unused =
        database.inTransaction(
            "user_behaviors can't be purged",
            connection -> {
              Optional<BehaviorTable> table = BehaviorTable.find(connection);
              if (table.isPresent()) {
                table.get().purge(database.dialect(), now, ROWS_TO_PURGE);
              }
              return table.isPresent();
            });
  }
}
