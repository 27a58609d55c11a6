package io.weir.benchmarks.rules;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.IntFunction;
import javax.sql.DataSource;

/** Fills the tables of rules and users. */
public final class Tables {
  /** The number of tiers that share the rules. */
  public static final int TIERS = 10;

  /** So that no request is refused. */
  public static final long LIMIT = 1_000_000_000;

  private static final int BATCH = 1_000;

  private Tables() {}

  /** Returns the template of an endpoint for which each tier has a rule. */
  static String endpoint(int number) {
    return "/api/resources" + number + "/{id}";
  }

  static String user(int number) {
    return "user" + number;
  }

  /** Adds rules, a tenth of them for each tier. */
  public static void addRules(DataSource database, int rules) throws SQLException {
    try (Connection connection = database.getConnection()) {
      addRules(connection, rules);
    }
  }

  /** The same. */
  public static void addRules(Connection connection, int rules) throws SQLException {
    String sql =
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
            + " VALUES (?, ?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      connection.setAutoCommit(false);
      for (int i = 0; i < rules; i++) {
        statement.setString(1, "tier" + i % TIERS);
        statement.setString(2, endpoint(i / TIERS));
        statement.setLong(3, LIMIT);
        statement.setLong(4, 86_400);
        statement.addBatch();
        if (i % BATCH == BATCH - 1 || i == rules - 1) {
          statement.executeBatch();
        }
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /** Adds a rule for windows of a day. */
  public static void addRule(DataSource database, String tier, String pattern, long limit)
      throws SQLException {
    run(
        database,
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
            + " VALUES ('"
            + tier
            + "', '"
            + pattern
            + "', "
            + limit
            + ", 86400)");
  }

  /** Adds users, a tenth of them to each tier. */
  static void addUsers(DataSource database, int users) throws SQLException {
    try (Connection connection = database.getConnection()) {
      addUsers(connection, users, Tables::user);
    }
  }

  /** The same, with names of one's own. */
  public static void addUsers(Connection connection, int users, IntFunction<String> names)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO weir.user_tiers (user_id, tier) VALUES (?, ?)")) {
      connection.setAutoCommit(false);
      for (int i = 0; i < users; i++) {
        statement.setString(1, names.apply(i));
        statement.setString(2, "tier" + i % TIERS);
        statement.addBatch();
        if (i % BATCH == BATCH - 1 || i == users - 1) {
          statement.executeBatch();
        }
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  static void run(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
