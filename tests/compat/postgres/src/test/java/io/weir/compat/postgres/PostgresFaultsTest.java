package io.weir.compat.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.postgres.PostgresFaults.Trouble;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresFaultsTest {
  private static final PostgresServer SERVER =
      PostgresServer.start(PostgresServer.OLDEST, Map.of("max_connections", "8"));
  private static final String INSERT = "INSERT INTO t VALUES (43)";
  private static final String COUNT = "SELECT count(*) FROM t";

  private String url = "";

  @BeforeEach
  void makeTable() {
    url = SERVER.newDatabase();
    Sql.execute(url, "CREATE TABLE t AS SELECT 42 AS a");
  }

  @AfterAll
  static void close() {
    SERVER.close();
  }

  @Test
  void endsConnections() throws SQLException {
    try (Connection open = DriverManager.getConnection(url)) {
      assertEquals("", state(open, COUNT));
      PostgresFaults.endConnections(url);
      assertEquals("57P01", state(open, COUNT));
    }
    assertEquals("1", Sql.ask(url, COUNT));
  }

  @Test
  void takesAllConnections() {
    try (Trouble taken = PostgresFaults.takeAllConnections(url)) {
      assertEquals("53300", refusal());
      taken.close();
      await("", this::refusal); // the server ends a connection some time after its client
    }
  }

  private String refusal() {
    try (Connection connection = DriverManager.getConnection(url)) {
      return state(connection, COUNT);
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  @Test
  void locksATable() throws SQLException {
    try (Connection other = DriverManager.getConnection(url);
        Trouble lock = PostgresFaults.lock(url, "t")) {
      assertEquals("", state(other, "SET lock_timeout = 100"));
      assertEquals("55P03", state(other, COUNT));
      lock.close();
      assertEquals("", state(other, COUNT));
    }
  }

  @Test
  void makesConnectionsReadOnlyThatAreOpenAlready() throws SQLException {
    try (Connection open = DriverManager.getConnection(url)) {
      try (Trouble readOnly = PostgresFaults.readOnly(SERVER)) {
        await("25006", () -> state(open, INSERT));
        assertEquals("", state(open, COUNT));
      }
      await("", () -> state(open, INSERT));
    }
  }

  /** A session reads its settings anew some time after it was told to. */
  private static void await(String expected, Supplier<String> state) {
    long start = System.nanoTime();
    while (!state.get().equals(expected)) {
      assertEquals(0, (System.nanoTime() - start) / 60_000_000_000L, "not within a minute");
      LockSupport.parkNanos(5_000_000);
    }
  }

  /** The code of the error that a statement ends with; empty if it is executed. */
  private static String state(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return "";
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }
}
