package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.history.RuleChange;
import io.weir.seeds.Seeds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Very many changes at once, in PostgreSQL; they are written down, but never all in memory. */
class MillionRowsTest {
  private static final int USERS =
      Integer.getInteger("weir.test.users", Seeds.deep() ? 20_000 : 5_000);
  private static final int MAX = 1000;

  @Test
  void oneUpdateOfAllUsersIsReadInBatches() throws SQLException {
    DataSource source = PostgresServer.source(PostgresServer.shared().newDatabase());
    RuleDatabase database = DatabaseOpener.open(source, true);
    ChangePosition start = database.position();
    TestSql.run(
        source,
        "INSERT INTO weir.user_tiers (user_id, tier) SELECT 'u' || i, 'free'"
            + " FROM generate_series(1, "
            + USERS
            + ") i");
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("UPDATE weir.user_tiers SET tier = 'gone'");
      connection.rollback();
    }
    TestSql.run(source, "UPDATE weir.user_tiers SET tier = 'premium'");
    database.insert(RuleTable.RULES, RuleDatabaseContract.RULE, "alice");

    long read = 0;
    ChangeBatch batch = database.changesSince(start, MAX);
    List<RuleChange> last = batch.changes();
    while (batch.isMore()) {
      read += batch.changes().size();
      assertTrue(batch.changes().size() <= MAX);
      assertTrue(batch.position().token().length() < 200, batch.position().token());
      batch = database.changesSince(batch.position(), MAX);
      last = batch.changes().isEmpty() ? last : batch.changes();
    }
    assertEquals(2L * USERS + 1, read + batch.changes().size());
    assertEquals("alice", last.get(last.size() - 1).by());

    // A reader that doesn't want all of them continues from now.
    ChangePosition now = database.position();
    database.insert(RuleTable.USERS, Map.of("user_id", "next", "tier", "free"), "bob");
    ChangeBatch next = database.changesSince(now, MAX);
    assertEquals(List.of("next"), next.changes().stream().map(RuleChange::rowKey).toList());
    assertFalse(next.isMore());
  }
}
