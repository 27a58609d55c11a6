package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

/** Runs the statements of a block on a database, as somebody. */
final class PageSql {
  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private PageSql() {}

  /** Runs each statement. */
  static void run(CodeBlock block, String database) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      for (String each : statements(block)) {
        statement.execute(each);
      }
    }
  }

  /** Tries each statement, which the database must refuse for want of a right. */
  static void isRefused(CodeBlock block, String database) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      for (String each : statements(block)) {
        SQLException refusal =
            assertThrows(
                SQLException.class, () -> statement.execute(each), block.place() + ": " + each);
        assertEquals(INSUFFICIENT_PRIVILEGE, refusal.getSQLState(), refusal.getMessage());
      }
    }
  }

  private static List<String> statements(CodeBlock block) {
    return Arrays.stream(block.text().split(";\\s*(?:--.*)?\n"))
        .filter(each -> !each.isBlank())
        .toList();
  }
}
