package io.weir.internal.rules.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.compat.postgres.PostgresServer;
import io.weir.rules.problem.QueryTooLargeException;
import io.weir.seeds.RunOneIn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@RunOneIn(10)
class PostgresNodeReportsTest extends NodeReportsContract {
  private String url = "";

  @Override
  DataSource fresh() {
    url = PostgresServer.shared().newDatabase();
    return source(url);
  }

  private static DataSource source(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    return source;
  }

  private String role() {
    return "reader_of_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
  }

  @Override
  DataSource reader(DataSource owner) {
    run(
        owner,
        "CREATE ROLE " + role() + " LOGIN",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + role());
    return source(url.replace("user=postgres", "user=" + role()));
  }

  @Override
  void permit(DataSource owner) {
    run(owner, "GRANT SELECT, INSERT, UPDATE, DELETE ON weir_nodes TO " + role());
  }

  /** All policies of months are many rows: the database must stop reading by itself. */
  @Test
  void sumsThatTakeTooLongEnd() throws SQLException {
    Node one = new Node("one");
    try (Connection other = source(url).getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE weir_outcomes_hourly IN ACCESS EXCLUSIVE MODE");
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
