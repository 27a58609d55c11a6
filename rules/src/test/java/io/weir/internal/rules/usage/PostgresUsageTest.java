package io.weir.internal.rules.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.OpenDatabase;
import io.weir.rules.usage.DroppedUsage;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import io.weir.testkit.FakeTicker;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The contract that {@link H2UsageTest} runs whole in every build, on PostgreSQL. */
@OneDayIn(3)
@RunOneIn(5)
class PostgresUsageTest extends UsageContract {
  private static final Instant NOON = Instant.parse("2027-03-01T12:00:00Z");

  @Override
  DataSource fresh() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }

  /** PostgreSQL refuses statements that it has planned before the table was changed. */
  @Test
  void aTableThatIsAlteredCostsNoRows() throws SQLException {
    try (OpenDatabase pool =
            DatabaseOpener.connect(DatabaseSettings.of(PostgresServer.shared().newDatabase()));
        UsageRecorder node =
            new UsageRecorder(
                DatabaseOpener.open(pool.source(), true),
                true,
                Duration.ofHours(1),
                () -> "free",
                new FakeTicker(NOON))) {
      for (int i = 0; i < 12; i++) {
        if (i == 8) {
          TestSql.run(
              pool.source(),
              "ALTER TABLE weir.rate_limit_violations ADD COLUMN theirs VARCHAR(9)",
              "ALTER TABLE weir.usage_hourly ADD COLUMN theirs VARCHAR(9)");
        }
        node.finished(Finished.refused("ann", "/posts", NOON));
        node.flush(Duration.ofMinutes(1));
      }
      assertEquals(12, node.usage().total("ann").requests());
      assertEquals(new DroppedUsage(0, 0), node.usage().dropped());
      assertEquals(12, node.usage().violationsOf("ann", NOON, NOON.plusSeconds(60), 100).size());
    }
  }

  /** Else each write would leave a dead row and an entry in each index behind. */
  @Test
  void rowsStayOnTheirPagesHoweverOftenTheyAreAddedTo() {
    DataSource source = fresh();
    String size =
        "SELECT pg_relation_size('weir.usage_hourly') + pg_relation_size('weir.usage_daily')"
            + " + pg_relation_size('weir.usage_total')";
    try (UsageRecorder node =
        new UsageRecorder(
            DatabaseOpener.open(source, true),
            true,
            Duration.ofHours(1),
            () -> "free",
            new FakeTicker(NOON))) {
      long first = 0;
      for (int round = 1; round <= 5; round++) {
        for (int i = 0; i < 1_000; i++) {
          node.finished(Finished.admitted("user" + i, "/posts", NOON));
        }
        node.flush(Duration.ofMinutes(1));
        first = round == 1 ? TestSql.number(source, size) : first;
      }
      assertEquals(5, node.usage().total("user999").requests());
      assertTrue(TestSql.number(source, size) < 1.5 * first, "first " + first);
    }
  }
}
