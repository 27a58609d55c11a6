package io.weir.internal.rules.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Outcome;
import io.weir.Ticker;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.usage.DroppedUsage;
import io.weir.rules.usage.EndpointUsage;
import io.weir.rules.usage.Usage;
import io.weir.rules.usage.UsageTotal;
import io.weir.rules.usage.Violation;
import io.weir.seeds.Seeds;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeTicker;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes and reads usage in every database alike. */
abstract class UsageContract {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** So that only flush writes. */
  private static final Duration NEVER = Duration.ofDays(1);

  private static final Instant NOON = Instant.parse("2027-03-01T12:00:00Z");
  private static final LocalDate DAY = LocalDate.parse("2027-03-01");
  private static final Instant LATER = NOON.plus(10, ChronoUnit.DAYS);

  private final List<UsageRecorder> open = new ArrayList<>();
  private SwitchableSource source;
  private UsageRecorder first;
  private UsageRecorder second;

  abstract DataSource fresh();

  @BeforeEach
  void start() {
    source = new SwitchableSource(fresh());
    first = node();
    second = node();
  }

  @AfterEach
  void stop() {
    source.isAway = false;
    open.forEach(UsageRecorder::close);
  }

  private UsageRecorder node() {
    return node(DatabaseOpener.open(source, true));
  }

  private UsageRecorder node(RuleDatabase database) {
    UsageRecorder node =
        new UsageRecorder(database, true, NEVER, () -> "free", new FakeTicker(NOON));
    open.add(node);
    return node;
  }

  private Usage usage() {
    return first.usage();
  }

  private void flush() {
    first.flush(PATIENCE);
    second.flush(PATIENCE);
  }

  private static void times(int number, Runnable request) {
    for (int i = 0; i < number; i++) {
      request.run();
    }
  }

  private void sql(String... statements) {
    TestSql.run(source, statements);
  }

  private long count(String table) {
    return TestSql.number(source, "SELECT COUNT(*) FROM " + table);
  }

  @Test
  void hoursDaysAndTotalsAreTheSumsOfAllNodes() {
    times(3, () -> first.finished(Finished.admitted("ann", "/posts/{id}", NOON, 2)));
    times(2, () -> second.finished(Finished.refused("ann", "/posts/{id}", NOON)));
    second.finished(Finished.admitted("ann", "/search", NOON.plus(90, ChronoUnit.MINUTES)));
    flush();
    first.finished(Finished.admitted("ann", "/posts/{id}", NOON.plusSeconds(61), 4));
    flush();

    assertEquals(
        List.of(
            new EndpointUsage("/posts/{id}", NOON, 6, 2, 10, 5),
            new EndpointUsage("/search", NOON.plus(1, ChronoUnit.HOURS), 1, 0, 1, 1)),
        usage().hours("ann", NOON, NOON.plus(2, ChronoUnit.HOURS)));
    Instant midnight = Instant.parse("2027-03-01T00:00:00Z");
    assertEquals(
        List.of(
            new EndpointUsage("/posts/{id}", midnight, 6, 2, 10, 5),
            new EndpointUsage("/search", midnight, 1, 0, 1, 1)),
        usage().days("ann", DAY, DAY));
    assertEquals(
        new UsageTotal("ann", Optional.of(NOON), 7, 2, 11, 3), second.usage().total("ann"));
    assertEquals(
        List.of(
            new EndpointUsage("/posts/{id}", NOON, 6, 2, 10, 5),
            new EndpointUsage("/search", NOON.plus(1, ChronoUnit.HOURS), 1, 0, 1, 1)),
        usage().byEndpoint("ann", midnight, midnight.plus(1, ChronoUnit.DAYS)));
    assertEquals(
        new UsageTotal("bob", Optional.empty(), 0, 0, 0, 0), usage().total("bob"), "no other user");
  }

  @Test
  void aRequestOfSeveralPoliciesTookWhatTheOneTookThatTookTheMostAndKeptIt() {
    first.finished(
        Finished.request(
            "ann",
            "/posts",
            "",
            NOON,
            Finished.together(
                Finished.decision(Outcome.ADMITTED, "a", 5),
                Finished.decision(Outcome.ADMITTED, "b", 1),
                Finished.refunded("c", 9))));
    flush();
    assertEquals(5, usage().total("ann").permits());
  }

  @Test
  void thePeakIsThatOfTheBusiestMinuteAndGrowsOnlyBeyondIt() {
    times(5, () -> first.finished(Finished.admitted("ann", "/posts", NOON)));
    flush();
    times(3, () -> first.finished(Finished.admitted("ann", "/posts", NOON.plusSeconds(60))));
    flush();
    times(4, () -> first.finished(Finished.admitted("ann", "/posts", NOON.plusSeconds(61))));
    flush();
    assertEquals(7, usage().days("ann", DAY, DAY).get(0).peakMinute(), "3 and 4, in one minute");
    assertEquals(7, usage().hours("ann", NOON, LATER).get(0).peakMinute());
    assertEquals(7, usage().total("ann").peakMinute());
    first.finished(Finished.admitted("ann", "/posts", NOON.plus(1, ChronoUnit.HOURS)));
    flush();
    assertEquals(1, usage().hours("ann", NOON, LATER).get(1).peakMinute());
    assertEquals(7, usage().days("ann", DAY, DAY).get(0).peakMinute());
  }

  @Test
  void aNodeThatBeganAnewDoesNotRaiseThePeakOfTheTotal() {
    times(5, () -> first.finished(Finished.admitted("ann", "/posts", NOON)));
    flush();
    UsageRecorder anew = node();
    times(2, () -> anew.finished(Finished.admitted("ann", "/posts", NOON)));
    anew.flush(PATIENCE);
    assertEquals(5, usage().total("ann").peakMinute());
    assertEquals(7, usage().hours("ann", NOON, LATER).get(0).peakMinute(), "an upper bound");
  }

  @Test
  void aViolationSumsUpRefusalsBetweenTwoWrites() {
    first.finished(Finished.refusedBy("posts", "ann", "/posts", NOON.plusSeconds(2)));
    first.finished(Finished.refusedBy("posts", "ann", "/posts", NOON.plusSeconds(1)));
    first.finished(Finished.refusedBy("other", "ann", "/posts", NOON));
    first.finished(Finished.admitted("ann", "/posts", NOON));
    flush();
    first.finished(Finished.refusedBy("posts", "ann", "/posts", NOON.plusSeconds(3)));
    second.finished(Finished.refusedBy("posts", "bob", "/posts", NOON.plusSeconds(4)));
    flush();
    assertEquals(
        List.of(
            "ann /posts posts 2027-03-01T12:00:03Z 1",
            "ann /posts posts 2027-03-01T12:00:01Z 2",
            "ann /posts other 2027-03-01T12:00:00Z 1"),
        texts(usage().violationsOf("ann", NOON, LATER, 100)));
    assertEquals(
        List.of(
            "bob /posts posts 2027-03-01T12:00:04Z 1", "ann /posts posts 2027-03-01T12:00:03Z 1"),
        texts(usage().violations(NOON, LATER, 2)),
        "the newest first");
    assertEquals(List.of(), usage().violations(NOON.plusSeconds(5), LATER, 2));
  }

  private static List<String> texts(List<Violation> violations) {
    return violations.stream()
        .map(
            each ->
                each.userId()
                    + " "
                    + each.endpoint()
                    + " "
                    + each.policy()
                    + " "
                    + each.at()
                    + " "
                    + each.count())
        .toList();
  }

  @Test
  void ofCallersThatAreNotKnownTheBusiestThousandAreToldApart() {
    int callers = Seeds.deep() ? 100_000 : 20_000;
    int nine = callers / 9;
    for (int i = 0; i < callers; i++) {
      first.finished(Finished.refusedAddress("192.0.2." + i, "/posts", NOON));
      if (i % nine == 0 && i < 9 * nine) {
        first.finished(Finished.refusedAddress("2001:db8::/64", "/posts", NOON));
      }
    }
    flush();
    assertEquals(1_001, count("rate_limit_violations"));
    assertEquals(9, usage().violationsOf("ip:2001:db8::/64", NOON, LATER, 10).get(0).count());
    long rest = usage().violationsOf("*", NOON, LATER, 10).get(0).count();
    assertEquals(callers - 999, rest, "all others are one row");
    assertEquals(1, count("usage_hourly"), "and one user");
    assertEquals(callers + 9, usage().total("*").refused());
    assertEquals(new DroppedUsage(0, 0), usage().dropped());
  }

  @Test
  void whatFindsNoPlaceIsCountedAndToldOnce() {
    try (LogLines log = new LogLines()) {
      int more = 500;
      for (int i = 0; i < UsageRecorder.MAX_WAITING + more; i++) {
        first.finished(Finished.admitted("user" + i, "/posts", NOON));
      }
      assertEquals(more, usage().dropped().requests());
      assertEquals(1, log.containing("dropped").size());
    }
  }

  @Test
  void whileTheDatabaseIsAwayNothingIsLostWithinTheBounds() {
    source.isAway = true;
    for (int minute = 0; minute < 30; minute++) {
      Instant at = NOON.plusSeconds(60L * minute);
      times(2, () -> first.finished(Finished.admitted("ann", "/posts", at)));
      first.finished(Finished.refused("bob", "/posts", at));
      first.flush(PATIENCE);
    }
    source.isAway = false;
    flush();
    assertEquals(60, usage().total("ann").requests());
    assertEquals(2, usage().hours("ann", NOON, LATER).get(0).peakMinute());
    assertEquals(30, usage().total("bob").refused());
    assertEquals(30, usage().violationsOf("bob", NOON, LATER, 10).get(0).count());
    assertEquals(new DroppedUsage(0, 0), usage().dropped());
  }

  @Test
  void anOutageOfAnyLengthFillsNoMemory() {
    UsageRollup summary = new UsageRollup(new DroppedUsageCounter(), 100);
    long minute = TimeUnit.SECONDS.toMinutes(NOON.getEpochSecond());
    for (int user = 0; user < 250; user++) {
      summary.add(new UsageKey("user" + user, "/posts", minute), new MinuteUsage(1, 0, 1));
    }
    int kept = 0;
    for (Optional<UsageBuffer.RowBatch> each = summary.drain(10);
        each.isPresent();
        each = summary.drain(10)) {
      kept++;
    }
    assertEquals(100 * 3 / 12, kept, 0, "three rows a user, in batches of four users");
  }

  @Test
  void whatFailedForSureIsWrittenTheNextTimeAndOnlyOnce() {
    first.finished(Finished.admitted("ann", "/posts", NOON));
    source.isAway = true;
    times(3, () -> first.flush(PATIENCE));
    source.isAway = false;
    times(2, this::flush);
    assertEquals(1, usage().total("ann").requests());
  }

  @Test
  void aWriteWhoseAnswerWasLostIsNotRepeated() {
    first.finished(Finished.admitted("ann", "/posts", NOON));
    first.finished(Finished.refused("ann", "/posts", NOON));
    flush();
    times(5, () -> first.finished(Finished.admitted("ann", "/posts", NOON)));
    first.finished(Finished.refused("ann", "/posts", NOON));
    source.lostCommits.set(1);
    times(2, this::flush);
    assertEquals(8, usage().total("ann").requests(), "it was written, once");
    assertEquals(2, usage().violationsOf("ann", NOON, LATER, 10).size());
    assertEquals(new DroppedUsage(6, 1), usage().dropped(), "although the result is unknown");
  }

  @Test
  void twoNodesThatWriteTheSameRowsAtTheSameTimeLoseNothing() throws Exception {
    int users = 300;
    int rounds = Seeds.deep() ? 20 : 6;
    ExecutorService nodes = Executors.newFixedThreadPool(2);
    CountDownLatch go = new CountDownLatch(1);
    List<Future<?>> both = new ArrayList<>();
    for (UsageRecorder node : List.of(first, second)) {
      both.add(
          nodes.submit(
              () -> {
                go.await();
                for (int round = 0; round < rounds; round++) {
                  for (int i = 0; i < users; i++) {
                    int user = node == first ? i : users - 1 - i;
                    node.finished(Finished.admitted("user" + user, "/posts", NOON));
                    node.finished(Finished.admitted("user" + user, "/search", NOON));
                  }
                  node.flush(PATIENCE);
                }
                return null;
              }));
    }
    go.countDown();
    for (Future<?> each : both) {
      each.get();
    }
    nodes.shutdown();
    flush();
    for (int i = 0; i < users; i += 37) {
      assertEquals(4 * rounds, usage().total("user" + i).requests());
      assertEquals(
          List.of(2L * rounds, 2L * rounds),
          usage().hours("user" + i, NOON, LATER).stream().map(EndpointUsage::requests).toList());
    }
    assertEquals(users, count("usage_total"));
    assertEquals(new DroppedUsage(0, 0), usage().dropped());
    assertEquals(new DroppedUsage(0, 0), second.usage().dropped());
  }

  @Test
  void theLastSecondsAreWrittenWhenANodeIsClosed() {
    second.finished(Finished.admitted("ann", "/posts", NOON));
    second.close();
    assertEquals(1, usage().total("ann").requests());
  }

  @Test
  void aPartThatTheDatabaseDoesNotTakeHoldsNoOtherUp() {
    first.addPart(
        new UsageBuffer() {
          @Override
          public Optional<RowBatch> drain(int most) {
            return Optional.of(
                new RowBatch() {
                  @Override
                  public void write(Connection connection, Dialect dialect) throws SQLException {
                    try (Statement statement = connection.createStatement()) {
                      statement.execute("INSERT INTO nowhere VALUES (1)");
                    }
                  }

                  @Override
                  public void committed() {
                    throw new AssertionError();
                  }

                  @Override
                  public void failed(boolean isLost) {
                    assertTrue(isLost, "it isn't to be repeated");
                  }
                });
          }

          @Override
          public void forget(Predicate<String> isForgotten) {}
        });
    try (LogLines log = new LogLines()) {
      first.finished(Finished.refused("ann", "/posts", NOON));
      flush();
      first.finished(Finished.refused("ann", "/posts", NOON));
      flush();
      assertEquals(2, usage().total("ann").requests());
      assertEquals(2, usage().violationsOf("ann", NOON, LATER, 10).size());
      assertEquals(1, log.containing("usage can't be written").size(), "logged once");
    }
  }

  @Test
  void withoutItsTablesUsageIsOffAndThatIsSaidOnce() {
    sql("DROP TABLE weir.usage_hourly", "DROP TABLE weir.rate_limit_violations");
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 3; i++) {
        first.finished(Finished.refused("ann", "/posts", NOON));
        flush();
      }
      assertEquals(1, log.containing("usage_hourly").size());
      assertEquals(1, log.containing("rate_limit_violations").size());
      assertEquals(new DroppedUsage(3, 3), usage().dropped());
      assertEquals(List.of(), usage().violations(NOON, LATER, 10));
    }
  }

  @Test
  void whoWasForgottenByAnyNodeIsNotWrittenOutOfMemory() {
    first.finished(Finished.refused("ann", "/posts", NOON));
    first.finished(Finished.refused("bob", "/posts", NOON));
    flush();
    first.finished(Finished.refused("ann", "/posts", NOON));
    first.finished(Finished.refused("bob", "/posts", NOON));
    new UserRemoval(DatabaseOpener.open(source, true)).forget("ann");
    flush();
    assertEquals(0, usage().total("ann").requests());
    assertEquals(List.of(), usage().violationsOf("ann", NOON, LATER, 10));
    assertEquals(
        Set.of("bob"),
        usage().topRefused(10).stream().map(each -> each.caller()).collect(Collectors.toSet()));
    assertEquals(2, usage().total("bob").requests());
  }

  /** It was cut off for longer than the name of the user is kept. */
  @Test
  void whoWasForgottenWhileANodeWasCutOffIsNotWrittenByItLater() {
    RuleDatabase database = DatabaseOpener.open(source, true);
    UserRemoval removal = new UserRemoval(database);
    first.finished(Finished.refused("ann", "/posts", NOON));
    flush();
    first.finished(Finished.refused("ann", "/posts", NOON));
    first.finished(Finished.refused("bob", "/posts", NOON));
    removal.forget("ann");
    removal.finish(Duration.ofMinutes(-1));
    assertEquals(0, count("weir_forgotten"));
    flush();
    assertEquals(0, rowsOf("ann"));
    assertEquals(1, usage().total("bob").requests());
    first.finished(Finished.refused("ann", "/posts", NOON));
    flush();
    assertEquals(1, usage().total("ann").requests(), "requests after a new registration count");
    removal.forget("ann");
    flush();
    assertEquals(0, rowsOf("ann"), "and is forgotten again");
  }

  @Test
  void aNodeThatWasAwayForAWeekDropsAllUsersItHolds() throws Exception {
    RuleDatabase database = DatabaseOpener.open(source, true);
    UserTombstones digests = new UserTombstones(Ticker.system());
    var unused =
        database.inTransaction(
            "test",
            connection -> {
              digests.apply(digests.read(connection, database.dialect()));
              UserTombstones.Found now = digests.read(connection, database.dialect());
              assertTrue(now.isEmpty());
              digests.apply(
                  new UserTombstones.Found(now.now().minus(Duration.ofDays(8)), false, Map.of()));
              UserTombstones.Found later = digests.read(connection, database.dialect());
              assertTrue(later.isAll() && later.users().test("anybody"));
              FakeTicker ticker = new FakeTicker();
              UserTombstones neverRead = new UserTombstones(ticker);
              ticker.advance(Duration.ofDays(8));
              assertTrue(neverRead.read(connection, database.dialect()).isAll());
              return true;
            });
  }

  private static final List<String> OF_USERS =
      List.of(
          "user_tiers",
          "user_quotas",
          "quota_grants",
          "quota_periods",
          "rate_limit_violations",
          "usage_minutes",
          "usage_hourly",
          "usage_daily",
          "usage_total",
          "user_behaviors",
          "anomalies",
          "tier_upgrade_requests");

  /** Adds a row to each table and to the history. */
  private void fill(String user) {
    sql(
        "INSERT INTO weir.user_tiers (user_id, tier) VALUES ('" + user + "', 'free')",
        "UPDATE weir.user_tiers SET tier = 'premium' WHERE user_id = '" + user + "'",
        "INSERT INTO weir.user_quotas (user_id, monthly_limit) VALUES ('" + user + "', 9)",
        "INSERT INTO weir.quota_grants (user_id, permits) VALUES ('" + user + "', 9)",
        "INSERT INTO weir.quota_periods (user_id, starts_at, ends_at, used) VALUES ('"
            + user
            + "', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 9)",
        "INSERT INTO weir.user_behaviors (user_id, endpoint) VALUES ('" + user + "', '/posts')",
        "INSERT INTO weir.usage_minutes (user_id, endpoint, starts_at, requests) VALUES ('"
            + user
            + "', '/posts', CURRENT_TIMESTAMP, 9)",
        "INSERT INTO weir.anomalies (user_id, endpoint, score, action, since, until) VALUES ('"
            + user
            + "', '/posts', 9, 'MONITOR', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)",
        "INSERT INTO weir.tier_upgrade_requests (user_id, current_tier, requested_tier, status)"
            + " VALUES ('"
            + user
            + "', 'free', 'premium', 'DECLINED')");
    first.finished(Finished.refused(user, "/posts", NOON));
    flush();
  }

  private long rowsOf(String user) {
    return OF_USERS.stream()
        .mapToLong(table -> count(table + " WHERE user_id = '" + user + "'"))
        .sum();
  }

  private long historyOf(String user) {
    String like = " LIKE '%\"" + user + "\"%'";
    return count(
        "rule_changes WHERE row_key = '"
            + user
            + "' OR CAST(before AS VARCHAR)"
            + like
            + " OR CAST(after AS VARCHAR)"
            + like);
  }

  @Test
  void aUserThatIsForgottenIsInNoTableAndInNoHistoryAndNobodyElseIsTouched() {
    RuleDatabase database = DatabaseOpener.open(source, true);
    fill("ann");
    fill("bob");
    fill("1"); // the key of another user's grant
    long historyOfBob = historyOf("bob");
    UserRemoval removal = new UserRemoval(database);
    removal.forget("ann");
    assertEquals(0, rowsOf("ann"));
    assertEquals(5, historyOf("ann"), "what other nodes have to hear");
    first.finished(Finished.refused("ann", "/posts", NOON));
    flush();
    removal.finish(Duration.ofMinutes(1));
    assertEquals(5, historyOf("ann"), "not yet");

    removal.finish(Duration.ofMinutes(-1));
    assertEquals(0, rowsOf("ann"));
    assertEquals(0, historyOf("ann"), "not even that it was removed");
    assertEquals(0, count("weir_forgotten"));
    assertEquals(OF_USERS.size(), rowsOf("bob"));
    assertEquals(historyOfBob, historyOf("bob"));
    removal.forget("1");
    removal.finish(Duration.ofMinutes(-1));
    assertEquals(historyOfBob, historyOf("bob"), "a user called like the key of a row");
    assertEquals(OF_USERS.size(), rowsOf("bob"));
    first.finished(Finished.refused("ann", "/posts", NOON));
    flush();
    assertEquals(1, usage().total("ann").requests(), "a new life");
  }

  @Test
  void aUserIsForgottenWhereTablesAreMissing() {
    sql(
        "DROP TABLE weir.user_behaviors",
        "DROP TABLE weir.weir_forgotten",
        "DROP TABLE weir.usage_minutes");
    first.finished(Finished.refused("ann", "/posts", NOON));
    flush();
    UserRemoval removal = new UserRemoval(DatabaseOpener.open(source, false));
    removal.forget("ann");
    removal.finish(Duration.ofMinutes(-1));
    assertEquals(0, usage().total("ann").requests());
  }

  @Test
  void theCallersThatAreRefusedMostAreKnown() {
    times(7, () -> first.finished(Finished.refused("ann", "/posts", NOON)));
    times(9, () -> first.finished(Finished.refusedAddress("192.0.2.7", "/posts", NOON)));
    first.finished(Finished.refused("bob", "/posts", NOON));
    flush();
    times(3, () -> first.finished(Finished.refused("ann", "/search", NOON)));
    flush();
    assertEquals(
        List.of("ann 10 0", "ip:192.0.2.7 9 0"),
        usage().topRefused(2).stream()
            .map(each -> each.caller() + " " + each.refusals() + " " + each.error())
            .toList());
  }

  @Test
  void aCallOutOfRangeIsRefusedByTheName() {
    assertThrows(IllegalArgumentException.class, () -> usage().topRefused(0));
    assertThrows(IllegalArgumentException.class, () -> usage().violations(NOON, LATER, 1_001));
    assertThrows(IllegalArgumentException.class, () -> usage().days("ann", DAY, DAY.plusDays(366)));
    usage().days("ann", DAY, DAY.plusDays(365));
    assertThrows(
        IllegalArgumentException.class,
        () -> usage().hours("ann", NOON, NOON.plus(93, ChronoUnit.DAYS)));
  }

  @Test
  void readingFailsWhileTheDatabaseIsAway() {
    source.isAway = true;
    assertThrows(RulesUnavailableException.class, () -> usage().total("ann"));
  }

  @Test
  void usageOfManyCallersIsWrittenByOneFlush() {
    int callers = Seeds.deep() ? 100_000 : 5_000;
    for (int round = 1; round <= 2; round++) {
      for (int i = 0; i < callers; i++) {
        first.finished(Finished.admitted("user" + i, "/posts", NOON));
      }
      long began = System.nanoTime();
      first.flush(PATIENCE);
      System.out.println(
          getClass().getSimpleName()
              + ": usage of "
              + callers
              + " callers written in "
              + (System.nanoTime() - began) / 1_000_000
              + " ms");
      assertEquals(callers, count("usage_total"));
      assertEquals(round, usage().total("user" + (callers - 1)).requests());
    }
  }
}
