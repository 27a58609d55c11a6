package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.feed.RuleFeed;
import io.weir.internal.rules.maintenance.ExpiredRowPurge;
import io.weir.internal.rules.maintenance.RetentionPeriods;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.usage.UserRemoval;
import io.weir.rules.Rule;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.UserTier;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node finds changes that no trigger reports, on a clock of its own. */
abstract class MissedChangesContract {
  static final String RULES = "rate_limit_rules";
  static final String USERS = "user_tiers";
  static final String CHANGES = "rule_changes";

  /** Longer than any pause between two looks at triggers and contents. */
  static final Duration NEXT_COMPARISON = Duration.ofSeconds(31);

  final FakeTicker ticker = new FakeTicker();
  DataSource database;
  RulesAssembly node;

  /** An empty database of its own. */
  abstract DataSource fresh();

  /** Drops the trigger that reports changes of a table. */
  abstract String dropTrigger(String table);

  @BeforeEach
  void start() {
    database = fresh();
    node = node();
    node.rules.save(Rule.builder("gold", "/api/*").limit(10).build(), "test");
    node.users.save(UserTier.of("ann", "gold"), "test");
    look();
    assertEquals("gold", tier("ann"));
    assertEquals(List.of(), problems());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** A node that looks only when it is told to. */
  RulesAssembly node() {
    RulesOptions options =
        new RulesOptions(
            CallerSettings::of,
            Duration.ofSeconds(10),
            1_000,
            Optional.empty(),
            true,
            Duration.ofDays(1),
            UsageOptions.USUAL.on(false),
            RulesOptions.USUAL_ANOMALIES);
    RulesAssembly made =
        new RulesAssembly(() -> DatabaseOpener.open(database, true), () -> {}, options, ticker);
    made.feed.start(true);
    return made;
  }

  void sql(String... statements) {
    TestSql.run(database, statements);
  }

  /** Looks as often as a node does within two intervals. */
  void look() {
    node.feed.refresh();
    ticker.advance(RuleFeed.USUAL_INTERVAL);
    node.feed.refresh();
  }

  String tier(String user) {
    return node.callers
        .find(CallerId.user(user))
        .toCompletableFuture()
        .join()
        .tier(ticker.epochMicros())
        .orElse("-");
  }

  List<Long> limits() {
    return node.current.get().rules().stream()
        .map(CompiledRule::rule)
        .map(Rule::limit)
        .sorted()
        .toList();
  }

  List<String> problems() {
    return node.feed.problems().stream().map(RuleProblem::toString).toList();
  }

  void assertProblem(String text) {
    assertTrue(problems().stream().anyMatch(each -> each.contains(text)), problems()::toString);
  }

  @Test
  void aNewestChangeThatIsGoneMakesTheNodeStartAgainAndSaySo() {
    sql(dropTrigger(USERS), dropTrigger(RULES));
    sql(
        "UPDATE " + RULES + " SET limit_count = 7",
        "UPDATE " + USERS + " SET tier = 'free'",
        "DELETE FROM " + CHANGES + " WHERE number > 1");
    try (LogLines log = new LogLines("io.weir")) {
      look();
      assertEquals(List.of(7L), limits());
      assertEquals("free", tier("ann"));
      assertEquals(1, log.containing("the newest change read so far").size(), "logged once");
    }
    assertProblem("the newest change read so far");
    ticker.advance(Duration.ofHours(2));
    look();
    assertEquals(
        0, problems().stream().filter(each -> each.contains("newest change")).count(), "forgotten");
  }

  @Test
  void tablesWithoutTriggersAreComparedUntilTheyHaveThemAgain() {
    sql(dropTrigger(USERS), dropTrigger(RULES));
    ticker.advance(NEXT_COMPARISON);
    look();
    assertProblem("the triggers of " + RULES + ", " + USERS + " are missing or disabled");
    sql("UPDATE " + RULES + " SET limit_count = 7", "UPDATE " + USERS + " SET tier = 'free'");
    look();
    assertEquals(List.of(7L), limits());
    assertEquals("free", tier("ann"));

    RulesAssembly migrating = node(); // makes what is missing
    migrating.close();
    ticker.advance(NEXT_COMPARISON);
    look();
    assertEquals(List.of(), problems());
    sql("UPDATE " + RULES + " SET limit_count = 8");
    look();
    assertEquals(List.of(8L), limits());
    assertEquals(List.of(), problems(), "reported by its trigger");
  }

  @Test
  void changesWithTriggersAreNotTakenForMissed() {
    for (int i = 1; i <= 3; i++) {
      sql(
          "UPDATE " + RULES + " SET limit_count = " + i,
          "UPDATE " + USERS + " SET tier = 't" + i + "'");
      ticker.advance(NEXT_COMPARISON);
      look();
      assertEquals("t" + i, tier("ann"));
      assertEquals(List.of((long) i), limits());
      assertEquals(List.of(), problems());
    }
  }

  @Test
  void aPurgeIsNoLoss() {
    FakeTicker later = new FakeTicker(ticker.instant().plus(Duration.ofDays(10_000)));
    new ExpiredRowPurge(
            DatabaseOpener.open(database, true), () -> true, RetentionPeriods.USUAL, later)
        .purge();
    assertEquals(1, TestSql.number(database, "SELECT COUNT(*) FROM " + CHANGES));
    assertEquals(0, TestSql.number(database, "SELECT COUNT(after) FROM " + CHANGES));
    assertEquals(List.of(), node.history.latest(10));
    look();
    assertEquals(List.of(), problems());
    node.users.save(UserTier.of("bob", "gold"), "test");
    look();
    assertEquals(List.of(), problems());
  }

  @Test
  void aForgottenUserIsNoLoss() {
    UserRemoval removal = new UserRemoval(DatabaseOpener.open(database, true));
    removal.forget("ann");
    look();
    removal.finish(Duration.ZERO);
    look();
    assertEquals("-", tier("ann"));
    assertEquals(List.of(), problems());
    String ofAnn = " WHERE row_key = 'ann' OR CAST(after AS VARCHAR) LIKE '%ann%'";
    assertEquals(0, TestSql.number(database, "SELECT COUNT(*) FROM " + CHANGES + ofAnn));
  }
}
