package io.weir.compat.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresServerTest {
  @Test
  void keepsItsDataWhenItIsKilled() throws SQLException {
    try (PostgresServer server = PostgresServer.start()) {
      String url = server.newDatabase();
      execute(url, "CREATE TABLE t (a INTEGER)");
      execute(url, "INSERT INTO t VALUES (42)");
      server.kill();
      assertThrows(SQLException.class, () -> DriverManager.getConnection(url));
      server.restart();
      assertEquals(42, number(url));
    }
  }

  @Test
  void answersNothingWhileItIsFrozen() throws SQLException {
    try (PostgresServer server = PostgresServer.start()) {
      String url = server.newDatabase();
      execute(url, "CREATE TABLE t (a INTEGER)");
      execute(url, "INSERT INTO t VALUES (42)");
      try (Connection open = DriverManager.getConnection(url)) {
        server.freeze();
        open.setNetworkTimeout(Runnable::run, 500);
        assertThrows(SQLException.class, () -> number(open));
        server.thaw();
        assertEquals(42, number(url));
      }
    }
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int number(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      return number(connection);
    }
  }

  private static int number(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT a FROM t")) {
      result.next();
      return result.getInt(1);
    }
  }
}
