package io.weir.internal.rules.access;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.rules.problem.RulesUnavailableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;

/**
 * Makes the first token of an empty database. The same transaction writes a mark, a row of {@code
 * weir_duties} that is never deleted: so only one of several nodes makes a token, and none is made
 * when all tokens have been deleted later.
 *
 * <p>Safe for concurrent use.
 */
final class TokenBootstrap {
  private static final String MARK = "first-token";

  private final RuleDatabase database;

  TokenBootstrap(RuleDatabase database) {
    this.database = database;
  }

  /** Adds the row; returns false if there is or was a token. */
  boolean insert(Map<String, String> columns, String author) {
    try {
      return database.inTransaction(
          "the first access token can't be created",
          connection -> {
            if (isThere(connection) || !mark(connection, author)) {
              return false;
            }
            add(connection, columns, author);
            return true;
          });
    } catch (RulesUnavailableException failed) {
      if (isMarked()) {
        return false; // another node was first
      }
      throw failed;
    }
  }

  /** Writes the mark without a token: a token has come from elsewhere. */
  void preclude(String author) {
    try {
      boolean unused =
          database.inTransaction(
              "the mark of the first access token can't be written",
              connection -> mark(connection, author));
    } catch (RulesUnavailableException failed) {
      if (!isMarked()) {
        throw failed;
      }
    }
  }

  private boolean isMarked() {
    return database.inTransaction("access tokens can't be read", TokenBootstrap::hasMark);
  }

  private static boolean hasMark(Connection connection) throws SQLException {
    return isAny(connection, "SELECT 1 FROM weir.weir_duties WHERE name = '" + MARK + "'");
  }

  private static boolean isThere(Connection connection) throws SQLException {
    return isAny(connection, "SELECT 1 FROM weir.weir_access_tokens");
  }

  private static boolean isAny(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      return rows.next();
    }
  }

  private static boolean mark(Connection connection, String author) throws SQLException {
    if (hasMark(connection)) {
      return false;
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO weir.weir_duties (name, holder, until) VALUES (?, ?, ?)")) {
      statement.setString(1, MARK);
      statement.setString(2, author);
      statement.setObject(3, Instant.EPOCH.atOffset(ZoneOffset.UTC));
      return statement.executeUpdate() == 1;
    }
  }

  private void add(Connection connection, Map<String, String> columns, String author)
      throws SQLException {
    database.dialect().beginChange(connection, author);
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO weir.weir_access_tokens (hash, name, role, created_at, updated_at, version)"
                + " VALUES (?, ?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 1)")) {
      statement.setString(1, columns.get(TokenColumns.HASH));
      statement.setString(2, columns.get(TokenColumns.NAME));
      statement.setString(3, columns.get(TokenColumns.ROLE));
      statement.executeUpdate();
    } finally {
      database.dialect().endChange(connection);
    }
  }
}
