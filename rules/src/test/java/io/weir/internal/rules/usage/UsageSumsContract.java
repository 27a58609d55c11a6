package io.weir.internal.rules.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.LargeQueries;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.usage.RecordedUsage.Row;
import io.weir.rules.problem.QueryTooLargeException;
import io.weir.rules.usage.CallerRefusals;
import io.weir.rules.usage.EndpointTotal;
import io.weir.rules.usage.TierUsage;
import io.weir.rules.usage.Usage;
import io.weir.rules.usage.UserUsage;
import io.weir.seeds.Seeds;
import io.weir.testkit.FakeTicker;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sums of all callers, in every database alike. */
abstract class UsageSumsContract {
  private static final Instant FIRST = Instant.parse("2027-02-26T07:00:00Z");
  private static final int HOURS = 100;
  private static final List<String> ENDPOINTS = List.of("/a", "/b/{id}", "=HYPERLINK(\"x\")");
  private static final Instant NOW = FIRST.plus(HOURS, ChronoUnit.HOURS);

  private DataSource source;
  private RuleDatabase database;
  private UsageRecorder node;

  abstract DataSource fresh();

  /** A statement that takes a minute unless it is ended. */
  abstract String slow();

  @BeforeEach
  void start() {
    source = fresh();
    database = DatabaseOpener.open(source, true);
    node = new UsageRecorder(database, true, Duration.ofDays(1), () -> "free", new FakeTicker(NOW));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private Usage usage() {
    return node.usage();
  }

  private static Instant somewhere(Random random) {
    return FIRST.plus(random.nextInt(60 * (HOURS + 20)) - 600L, ChronoUnit.MINUTES);
  }

  @Test
  void sumsAreThoseOfTheHoursWhereverTheTimeBeginsAndEnds() throws SQLException {
    Random random = new Random(Seeds.first());
    RecordedUsage recorded = RecordedUsage.random(random, 12, ENDPOINTS, FIRST, HOURS);
    recorded.insert(source);
    TestSql.run(
        source,
        "INSERT INTO weir.user_tiers (user_id, tier) VALUES ('user1', 'gold'), ('user2', 'gold'),"
            + " ('user3', 'free'), ('nobody', 'gold')",
        "INSERT INTO weir.user_tiers (user_id, tier, valid_until) VALUES ('user4', 'gold', TIMESTAMP"
            + " WITH TIME ZONE '2027-01-01 00:00:00+00'), ('user5', 'gold', TIMESTAMP WITH TIME"
            + " ZONE '2099-01-01 00:00:00+00')");
    List<String> gold = List.of("user1", "user2", "user5");
    for (int i = 0; i < 40; i++) {
      Instant from = somewhere(random);
      Instant until = from.plus(random.nextInt(60 * HOURS), ChronoUnit.MINUTES);
      List<Row> rows = recorded.rows().stream().filter(each -> each.isWithin(from, until)).toList();
      String what = from + " to " + until;
      assertEquals(endpoints(rows), usage().endpoints(from, until, Optional.empty(), 10), what);
      assertEquals(users(rows), usage().users(from, until, Optional.empty(), 1_000), what);
      assertEquals(
          tiers(rows, each -> each.equals("*") ? "*" : gold.contains(each) ? "gold" : "free"),
          usage().tiers(from, until),
          what);
    }
  }

  private static Map<String, List<Row>> by(List<Row> rows, Function<Row, String> key) {
    Map<String, List<Row>> grouped = new TreeMap<>();
    rows.forEach(
        each -> grouped.computeIfAbsent(key.apply(each), any -> new ArrayList<>()).add(each));
    return grouped;
  }

  private static List<EndpointTotal> endpoints(List<Row> rows) {
    List<EndpointTotal> all = new ArrayList<>();
    by(rows, Row::endpoint)
        .forEach(
            (endpoint, of) ->
                all.add(
                    new EndpointTotal(
                        endpoint,
                        of.stream()
                            .map(Row::userId)
                            .filter(each -> !each.equals("*"))
                            .distinct()
                            .count(),
                        of.stream().mapToLong(Row::requests).sum(),
                        of.stream().mapToLong(Row::refused).sum(),
                        of.stream().mapToLong(Row::permits).sum(),
                        of.stream()
                            .filter(each -> !each.userId().equals("*"))
                            .mapToLong(Row::peakMinute)
                            .max()
                            .orElse(0))));
    all.sort(
        Comparator.comparingLong(EndpointTotal::requests)
            .reversed()
            .thenComparing(EndpointTotal::endpoint));
    return all;
  }

  private static List<UserUsage> users(List<Row> rows) {
    List<UserUsage> all = new ArrayList<>();
    by(rows, Row::userId)
        .forEach(
            (userId, of) ->
                all.add(
                    new UserUsage(
                        userId,
                        of.stream().mapToLong(Row::requests).sum(),
                        of.stream().mapToLong(Row::refused).sum(),
                        of.stream().mapToLong(Row::permits).sum())));
    all.sort(
        Comparator.comparingLong(UserUsage::requests).reversed().thenComparing(UserUsage::userId));
    return all;
  }

  private static List<TierUsage> tiers(List<Row> rows, Function<String, String> tier) {
    List<TierUsage> all = new ArrayList<>();
    by(rows, each -> tier.apply(each.userId()))
        .forEach(
            (name, of) ->
                all.add(
                    new TierUsage(
                        name,
                        of.stream()
                            .map(Row::userId)
                            .filter(each -> !each.equals("*"))
                            .distinct()
                            .count(),
                        of.stream().mapToLong(Row::requests).sum(),
                        of.stream().mapToLong(Row::refused).sum(),
                        of.stream().mapToLong(Row::permits).sum())));
    all.sort(
        Comparator.comparingLong(TierUsage::requests).reversed().thenComparing(TierUsage::tier));
    return all;
  }

  @Test
  void pagesContinueWhereTheLastOneEnded() throws SQLException {
    RecordedUsage recorded =
        RecordedUsage.random(new Random(Seeds.first()), 12, ENDPOINTS, FIRST, HOURS);
    recorded.insert(source);
    List<UserUsage> all = usage().users(FIRST, NOW, Optional.empty(), 1_000);
    List<UserUsage> read = new ArrayList<>();
    Optional<UserUsage> last = Optional.empty();
    do {
      read.addAll(usage().users(FIRST, NOW, last, 5));
      last = Optional.of(read.get(read.size() - 1));
    } while (read.size() < all.size());
    assertEquals(all, read);
    List<EndpointTotal> first = usage().endpoints(FIRST, NOW, Optional.empty(), 2);
    assertEquals(
        usage().endpoints(FIRST, NOW, Optional.empty(), 3).get(2),
        usage().endpoints(FIRST, NOW, Optional.of(first.get(1)), 2).get(0));
  }

  /** Days may be kept for a shorter time than hours, and the oldest may be half deleted. */
  @Test
  void daysThatAreDeletedAreReadByTheirHours() throws SQLException {
    RecordedUsage recorded =
        RecordedUsage.random(new Random(Seeds.first()), 12, ENDPOINTS, FIRST, HOURS);
    recorded.insert(source);
    TestSql.run(
        source,
        "DELETE FROM weir.usage_daily WHERE starts_at < TIMESTAMP WITH TIME ZONE '2027-02-28"
            + " 00:00:00+00'",
        "DELETE FROM weir.usage_daily WHERE starts_at < TIMESTAMP WITH TIME ZONE '2027-03-01"
            + " 00:00:00+00' AND user_id < 'user5'");
    assertEquals(
        users(recorded.rows()), usage().users(FIRST, NOW, Optional.empty(), 1_000), "as before");
  }

  @Test
  void theMostRefusedAreThoseOfAllNodes() throws SQLException {
    for (String each :
        List.of(
            "'ann', '/a', '2027-03-01 12:00:00+00', 5, 'p1'",
            "'ann', '/b', '2027-03-01 12:30:00+00', 6, 'p2'",
            "'ann', '/b', '2027-03-01 12:30:01+00', 2, 'p1'",
            "'ip:192.0.2.1', '/b', '2027-03-01 12:59:59+00', 40, 'p2'",
            "'*', '/b', '2027-03-01 12:10:00+00', 7, 'p3'",
            "'ann', '/b', '2027-03-01 13:00:00+00', 100, 'late'",
            "'bob', '/b', '2027-03-01 11:59:59+00', 100, 'early'")) {
      TestSql.run(
          source,
          "INSERT INTO weir.rate_limit_violations (user_id, endpoint, timestamp, attempted_count,"
              + " policy) VALUES ("
              + each.replace("'2027", "TIMESTAMP WITH TIME ZONE '2027")
              + ")");
    }
    Instant noon = Instant.parse("2027-03-01T12:00:00Z");
    assertEquals(
        List.of(
            new CallerRefusals("ip:192.0.2.1", 40, 1, List.of("p2"), noon.plusSeconds(3_599)),
            new CallerRefusals("ann", 13, 2, List.of("p1", "p2"), noon.plusSeconds(1_801)),
            new CallerRefusals("*", 7, 1, List.of("p3"), noon.plusSeconds(600))),
        usage().mostRefused(noon, noon.plusSeconds(3_600), 10));
    assertEquals(1, usage().mostRefused(noon, noon.plusSeconds(3_600), 1).size());
    for (int i = 0; i < 9; i++) {
      TestSql.run(
          source,
          "INSERT INTO weir.rate_limit_violations (user_id, endpoint, timestamp, attempted_count,"
              + " policy) VALUES ('ann', '/a', TIMESTAMP WITH TIME ZONE '2027-03-01"
              + " 12:00:00+00', 1, 'more"
              + i
              + "')");
    }
    assertEquals(
        List.of("p1", "p2", "more0", "more1", "more2"),
        usage().mostRefused(noon, noon.plusSeconds(3_600), 10).get(1).policies());
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    for (int most : new int[] {0, 100_001}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> usage().endpoints(FIRST, NOW, Optional.empty(), most));
      assertThrows(
          IllegalArgumentException.class, () -> usage().users(FIRST, NOW, Optional.empty(), most));
      assertThrows(IllegalArgumentException.class, () -> usage().mostRefused(FIRST, NOW, most));
    }
    Instant late = FIRST.plus(93, ChronoUnit.DAYS);
    assertThrows(IllegalArgumentException.class, () -> usage().tiers(FIRST, late));
    assertThrows(
        IllegalArgumentException.class, () -> usage().endpoints(FIRST, late, Optional.empty(), 1));
  }

  /** The database itself stops, and the connection has no time-out afterwards. */
  @Test
  void whatTakesTooLongIsEndedAndSaysWhatToAskInstead() throws SQLException {
    LargeQueries queries = node.largeQueries();
    QueryTooLargeException tooLarge =
        assertThrows(
            QueryTooLargeException.class,
            () ->
                queries.run(
                    "usage can't be read",
                    "ask for less",
                    connection -> {
                      try (Statement statement = connection.createStatement();
                          ResultSet row = statement.executeQuery(slow())) {
                        return row.next();
                      }
                    }));
    assertEquals("usage can't be read within 4 s; ask for less", tooLarge.getMessage());
    List<Connection> all = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) { // of the pool, whichever the query had
        Connection connection = source.getConnection();
        all.add(connection);
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery(timeoutOfConnection())) {
          row.next();
          assertTrue(row.getString(1).startsWith("0"), row.getString(1));
        }
      }
    } finally {
      for (Connection each : all) {
        each.close();
      }
    }
    assertEquals(List.of(), usage().tiers(FIRST, NOW), "the next one runs");
  }

  /** Reads the time-out of the connection that the last transaction had. */
  abstract String timeoutOfConnection();

  @Test
  void oneLargeQueryRunsAtATime() throws Exception {
    LargeQueries queries = node.largeQueries();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<Boolean> running =
          other.submit(
              () ->
                  queries.run(
                      "a",
                      "b",
                      connection -> {
                        begun.countDown();
                        try {
                          return end.await(60, TimeUnit.SECONDS);
                        } catch (InterruptedException stopped) {
                          throw new AssertionError(stopped);
                        }
                      }));
      assertTrue(begun.await(60, TimeUnit.SECONDS));
      QueryTooLargeException busy =
          assertThrows(QueryTooLargeException.class, () -> usage().tiers(FIRST, NOW));
      assertTrue(busy.getMessage().contains("busy with another large query"), busy.getMessage());
      assertEquals(List.of(), usage().hours("ann", FIRST, NOW), "small ones aren't held up");
      end.countDown();
      assertTrue(running.get(60, TimeUnit.SECONDS));
      assertEquals(List.of(), usage().tiers(FIRST, NOW));
    } finally {
      end.countDown();
      other.shutdownNow();
    }
  }
}
