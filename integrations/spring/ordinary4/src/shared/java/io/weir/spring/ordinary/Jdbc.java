package io.weir.spring.ordinary;

import io.weir.compat.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Runs SQL without the application. */
final class Jdbc {
  private Jdbc() {}

  static void run(String url, String... statements) {
    try (Connection connection = PostgresServer.source(url).getConnection();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the number of rows of a table. */
  static long rows(String url, String table) {
    try (Connection connection = PostgresServer.source(url).getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
