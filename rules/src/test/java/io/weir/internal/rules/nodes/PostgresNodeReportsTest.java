package io.weir.internal.rules.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.TestSql;
import io.weir.rules.problem.QueryTooLargeException;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@OneDayIn(2)
@RunOneIn(5)
class PostgresNodeReportsTest extends NodeReportsContract {
  private String url = "";

  @Override
  DataSource fresh() {
    url = PostgresServer.shared().newDatabase();
    return PostgresServer.source(url);
  }

  private String role() {
    return "reader_of_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
  }

  @Override
  DataSource reader(DataSource owner) {
    TestSql.run(
        owner,
        "CREATE ROLE " + role() + " LOGIN",
        "GRANT USAGE ON SCHEMA weir TO " + role(),
        "GRANT SELECT ON ALL TABLES IN SCHEMA weir TO " + role());
    return PostgresServer.source(url.replace("user=postgres", "user=" + role()));
  }

  @Override
  void permit(DataSource owner) {
    TestSql.run(owner, "GRANT SELECT, INSERT, UPDATE, DELETE ON weir.weir_nodes TO " + role());
  }

  /** All policies of months are many rows: the database must stop reading by itself. */
  @Test
  void sumsThatTakeTooLongEnd() throws SQLException {
    Node one = new Node("one");
    try (Connection other = PostgresServer.source(url).getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE weir.weir_outcomes_hourly IN ACCESS EXCLUSIVE MODE");
      QueryTooLargeException tooLarge =
          assertThrows(
              QueryTooLargeException.class,
              () -> one.outcomes.hoursOfAll(Instant.EPOCH, Instant.now(), 1_000));
      assertEquals(
          "outcomes by hour can't be read within 4 s; shorten the time between from and to",
          tooLarge.getMessage());
    }
    assertEquals(List.of(), one.outcomes.hoursOfAll(Instant.EPOCH, Instant.now(), 1_000));
  }
}
