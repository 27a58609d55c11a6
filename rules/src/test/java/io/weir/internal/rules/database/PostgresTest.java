package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.change.TableFingerprint;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.seeds.OneDayIn;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The contract that {@link H2MemoryTest} runs whole in every build, on PostgreSQL. */
@OneDayIn(3)
public class PostgresTest extends RuleDatabaseContract {
  private static final String READ =
      "SELECT COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0)"
          + " FROM pg_stat_xact_all_tables WHERE schemaname = 'weir' AND relname = 'user_tiers'";

  @Override
  DataSource fresh() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }

  @Test
  void aDatabaseThatWasReplacedByAnOlderOneIsTold() {
    RuleDatabase database = DatabaseOpener.open(fresh(), true);
    ChangeBatch batch = database.changesSince(new ChangePosition("1:999999999999:"), 10);
    assertTrue(batch.isLost());
    assertFalse(database.changesSince(batch.position(), 10).isLost());
  }

  @Test
  void aTruncatedTableTellsEachRow() {
    DataSource source = fresh();
    RuleDatabase database = DatabaseOpener.open(source, true);
    database.insert(RuleTable.USERS, Map.of("user_id", "a", "tier", "free"), "alice");
    database.insert(RuleTable.USERS, Map.of("user_id", "b", "tier", "free"), "alice");
    ChangePosition start = database.position();
    TestSql.run(source, "TRUNCATE weir.user_tiers");
    assertEquals(
        Set.of("a", "b"),
        database.changesSince(start, 10).changes().stream()
            .map(RuleChange::rowKey)
            .collect(Collectors.toSet()));
  }

  @Test
  void aTextMayHaveAsManyCharactersAsItsColumnHoweverWide() {
    RuleDatabase database = DatabaseOpener.open(fresh(), true);
    String longest = "😀".repeat(100); // two chars of Java each
    StoredRow saved = database.insert(RuleTable.RULES, with(RULE, "name", longest), "alice");
    assertEquals(Optional.of(longest), saved.column("name"));
    assertThrows(
        InvalidRuleException.class,
        () -> database.insert(RuleTable.RULES, with(RULE, "name", longest + "x"), "alice"));
  }

  @Test
  void aFingerprintOfManyUsersReadsFewOfThem() {
    DataSource source = fresh();
    RuleDatabase database = DatabaseOpener.open(source, true);
    TestSql.run(
        source,
        "SET session_replication_role = replica",
        "INSERT INTO weir.user_tiers (user_id, tier, updated_at)"
            + " SELECT n, 'free', now() FROM generate_series(1, 30000) n");
    long read =
        database.inTransaction(
            "it can't be read",
            connection -> {
              var unused =
                  TableFingerprint.of(
                      connection, Dialect.POSTGRESQL, TableColumns.of(RuleTable.USERS));
              try (Statement statement = connection.createStatement();
                  ResultSet row = statement.executeQuery(READ)) {
                row.next();
                return row.getLong(1);
              }
            });
    assertTrue(read <= 10_001, () -> read + " rows");
    String before = database.fingerprint(RuleTable.USERS);
    TestSql.run(
        source,
        "SET session_replication_role = replica",
        "UPDATE weir.user_tiers SET tier = 'gold' WHERE user_id = '1'");
    while (database.fingerprint(RuleTable.USERS).equals(before)) {
      Thread.onSpinWait(); // until PostgreSQL publishes what it counted
    }
  }
}
