package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Runs SQL as the owner of a database would, with Weir's schema on the search path; a failure fails
 * the test.
 */
public final class TestSql {
  private TestSql() {}

  /** Connects with Weir's schema first on the search path, if it is there. */
  public static Connection connection(DataSource source) throws SQLException {
    Connection connection = source.getConnection();
    try (Statement statement = connection.createStatement()) {
      if (Dialect.of(connection) == Dialect.POSTGRESQL) {
        statement.execute("SET search_path = weir, public");
      } else if (Dialect.H2.hasSchema(connection)) {
        statement.execute("SET SCHEMA weir");
      }
    }
    return connection;
  }

  /** Runs statements, each in a transaction of its own. */
  public static void run(DataSource source, String... statements) {
    try (Connection connection = connection(source);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the first column of all rows. */
  public static List<String> texts(DataSource source, String query) {
    List<String> texts = new ArrayList<>();
    try (Connection connection = connection(source);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        texts.add(row.getString(1));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return texts;
  }

  /** Returns the first column of the first row. */
  public static String text(DataSource source, String query) {
    return texts(source, query).get(0);
  }

  /** Returns the first column of the first row, a whole number. */
  public static long number(DataSource source, String query) {
    return Long.parseLong(text(source, query));
  }
}
