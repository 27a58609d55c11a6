package io.weir.compat.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A client of the H2 file that has the rules of an application in another process, which must run.
 * Confine to one thread.
 */
final class RuleDatabase implements AutoCloseable {
  private static final String FILE = "rules";

  private final Connection connection;

  private RuleDatabase(Connection connection) {
    this.connection = connection;
  }

  /** Returns the value of {@code weir.rules}. */
  static String address(Path directory) {
    return "jdbc:h2:file:" + directory.resolve(FILE);
  }

  /** Opens the file as the documentation says. */
  static RuleDatabase open(Path directory) throws IOException, SQLException {
    String password = Files.readString(directory.resolve(FILE + ".password")).strip();
    return new RuleDatabase(
        DriverManager.getConnection(address(directory) + ";AUTO_SERVER=TRUE", "weir", password));
  }

  void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Adds a rule with a window of an hour, longer than any test. */
  void rule(String tier, String pattern, String name, int limit) throws SQLException {
    run(
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, name, limit_count, window_seconds)"
            + (" VALUES ('" + tier + "', '" + pattern + "', '" + name + "', " + limit + ", 3600)"));
  }

  /** Gives a user a tier. */
  void user(String user, String tier) throws SQLException {
    run("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('" + user + "', '" + tier + "')");
  }

  /** Sets a policy to {@code OFF} or {@code SHADOW} for an hour. */
  void turn(String policy, String state) throws SQLException {
    run(
        "INSERT INTO weir.switches (policy, state, until, reason, set_by) VALUES ('"
            + (policy + "', '" + state + "', CURRENT_TIMESTAMP + INTERVAL '1' HOUR, ")
            + "'a check', 'the checks')");
  }

  /** Returns the first column of a query. */
  List<String> column(String query) throws SQLException {
    List<String> column = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        column.add(rows.getString(1));
      }
    }
    return column;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
