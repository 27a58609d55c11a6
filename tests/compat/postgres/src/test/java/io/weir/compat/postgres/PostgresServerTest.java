package io.weir.compat.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresServerTest {
  private static final PostgresServer SERVER = PostgresServer.start();
  private static final String ROWS = "SELECT count(*) FROM t";
  private static final String UNLOGGED_ROWS = "SELECT count(*) FROM u";

  private String url = "";

  @BeforeEach
  void makeTables() {
    url = SERVER.newDatabase();
    Sql.execute(url, "CREATE TABLE t AS SELECT 42 AS a; CREATE UNLOGGED TABLE u AS TABLE t");
  }

  @AfterAll
  static void close() {
    SERVER.close();
  }

  @Test
  void keepsWhatIsLoggedWhenItIsKilledAndEmptiesWhatIsnt() {
    SERVER.kill();
    assertThrows(SQLException.class, () -> DriverManager.getConnection(url));
    SERVER.restart();
    assertEquals("1", Sql.ask(url, ROWS));
    assertEquals("0", Sql.ask(url, UNLOGGED_ROWS));
  }

  @Test
  void recoversAsAfterACrashWhenItIsStoppedAtOnce() throws SQLException {
    try (Connection open = DriverManager.getConnection(url)) {
      SERVER.stopAtOnce();
      assertThrows(SQLException.class, () -> execute(open, ROWS));
    }
    SERVER.restart();
    assertEquals("1", Sql.ask(url, ROWS));
    assertEquals("0", Sql.ask(url, UNLOGGED_ROWS));
  }

  @Test
  void keepsAllWhenItIsStoppedInOrder() {
    SERVER.stop();
    SERVER.restart();
    assertEquals("1", Sql.ask(url, UNLOGGED_ROWS));
  }

  @Test
  void answersNothingWhileItIsFrozen() throws SQLException {
    try (Connection open = DriverManager.getConnection(url)) {
      SERVER.freeze();
      open.setNetworkTimeout(Runnable::run, 500);
      assertThrows(SQLException.class, () -> execute(open, ROWS));
    } finally {
      SERVER.thaw();
    }
    assertEquals("1", Sql.ask(url, ROWS));
  }

  @Test
  void isWhatItWasWhenItWasBackedUp() {
    try (PostgresBackup backup = SERVER.backUp()) {
      Sql.execute(url, "INSERT INTO t VALUES (43)");
      assertEquals("2", Sql.ask(url, ROWS));
      SERVER.restore(backup);
    }
    assertEquals("1", Sql.ask(url, ROWS));
    Sql.execute(url, "INSERT INTO t VALUES (44)");
  }

  @Test
  void copiesADatabase() {
    String copy = SERVER.newDatabase(Sql.ask(url, "SELECT current_database()"));
    Sql.execute(url, "DROP TABLE t");
    assertEquals("1", Sql.ask(copy, ROWS));
  }

  @Test
  void letsARoleInWithItsPasswordOnly() {
    SERVER.newRole("somebody", "secret");
    String theirs = url.replace("?user=postgres", "?user=somebody&password=");
    assertEquals("somebody", Sql.ask(theirs + "secret", "SELECT current_user"));
    assertThrows(SQLException.class, () -> DriverManager.getConnection(theirs + "wrong"));
    assertEquals("postgres", Sql.ask(url, "SELECT current_user"));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
