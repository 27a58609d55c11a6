package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.postgres.PostgresReplica;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.MigratedPostgres;
import io.weir.internal.rules.database.PlainSource;
import io.weir.internal.rules.database.TestSql;
import io.weir.rules.Rule;
import io.weir.seeds.OneDayIn;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The contract that {@link H2MissedChangesTest} runs whole in every build, on PostgreSQL. */
@OneDayIn(3)
class PostgresMissedChangesTest extends MissedChangesContract {
  private static final String AS_REPLICA = "SET session_replication_role = replica";

  @Override
  DataSource fresh() {
    return PostgresServer.source(MigratedPostgres.newDatabase());
  }

  @Override
  String dropTrigger(String table) {
    return "DROP TRIGGER " + table + "_weir_change ON " + table;
  }

  /** A backup is copied back as pg_restore does: no trigger runs, and transactions stay old. */
  @Test
  void aBackupThatIsRestoredIsInForceAtTheNextLook() {
    for (String table : List.of(RULES, USERS, CHANGES)) {
      sql("CREATE TABLE kept_" + table + " AS SELECT * FROM " + table);
    }
    sql("UPDATE " + RULES + " SET limit_count = 99", "UPDATE " + USERS + " SET tier = 'free'");
    look();
    assertEquals(List.of(99L), limits());
    assertEquals("free", tier("ann"));

    StringBuilder restore = new StringBuilder(AS_REPLICA);
    for (String table : List.of(RULES, USERS, CHANGES)) {
      restore.append("; DELETE FROM ").append(table);
      restore.append("; INSERT INTO ").append(table).append(" SELECT * FROM kept_").append(table);
    }
    sql(restore.toString());
    node.feed.refresh();
    assertEquals(List.of(10L), limits());
    assertEquals("gold", tier("ann"));
    assertProblem("the newest change read so far");
  }

  /** Transactions count anew after a failover to a replica that had lagged. */
  @Test
  void aChangeOfATransactionThatCountedAsReadIsFound() {
    sql(
        AS_REPLICA + "; UPDATE " + USERS + " SET tier = 'free'",
        "INSERT INTO "
            + CHANGES
            + " (at, table_name, row_key, transaction_id) VALUES (now(), '"
            + USERS
            + "', 'ann', '3')");
    node.feed.refresh();
    assertEquals("free", tier("ann"));
    assertProblem("a change of a transaction that counted as read");
  }

  @Test
  void whatIsWrittenInReplicaModeIsFound() {
    sql(AS_REPLICA + "; UPDATE " + USERS + " SET tier = 'free'");
    look();
    assertEquals("free", tier("ann"));
    assertProblem("rows of " + USERS + " or quotas have changed without a trigger");
    ticker.advance(NEXT_COMPARISON);
    look();
    sql(AS_REPLICA + "; UPDATE " + RULES + " SET limit_count = 5");
    ticker.advance(NEXT_COMPARISON);
    look();
    assertEquals(List.of(5L), limits());
    assertProblem("rows of " + RULES + " have changed without a trigger");
  }

  @Test
  void disabledTriggersAreReportedAndRowsCompared() {
    sql("ALTER TABLE " + RULES + " DISABLE TRIGGER ALL");
    ticker.advance(NEXT_COMPARISON);
    look();
    assertProblem("the triggers of " + RULES + " are missing or disabled");
    sql("UPDATE " + RULES + " SET limit_count = 5");
    look();
    assertEquals(List.of(5L), limits());
    sql("ALTER TABLE " + RULES + " ENABLE TRIGGER ALL");
    ticker.advance(NEXT_COMPARISON);
    look();
    assertEquals(List.of(), problems());
  }

  @Test
  void aReplicaThatLaggedAndIsThePrimaryNowIsReadAgain() {
    node.close();
    try (PostgresServer primary = PostgresServer.start()) {
      AtomicReference<DataSource> server =
          new AtomicReference<>(PostgresServer.source(primary.newDatabase()));
      PlainSource either = () -> server.get().getConnection();
      database = either;
      node = node();
      node.rules.save(Rule.builder("gold", "/api/*").limit(10).build(), "test");
      try (PostgresReplica replica = PostgresReplica.of(primary)) {
        replica.awaitCaughtUp();
        replica.cutOff();
        sql("UPDATE " + RULES + " SET limit_count = 99");
        look();
        assertEquals(List.of(99L), limits());
        replica.promote();
        String name = TestSql.text(database, "SELECT current_database()");
        server.set(PostgresServer.source(replica.server().url(name)));
        look();
        assertEquals(List.of(10L), limits());
        assertProblem("another server answers");
        node.close();
      }
    }
  }
}
