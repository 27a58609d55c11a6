package io.weir.internal.rules.access;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.Sql;
import io.weir.rules.problem.RulesUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
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
    return Sql.of("SELECT 1 FROM weir.weir_duties WHERE name = '" + MARK + "'").isAny(connection);
  }

  private static boolean isThere(Connection connection) throws SQLException {
    return Sql.of("SELECT 1 FROM weir.weir_access_tokens").isAny(connection);
  }

  private static boolean mark(Connection connection, String author) throws SQLException {
    boolean isNew = !hasMark(connection);
    if (isNew) {
      Sql.of(
              "INSERT INTO weir.weir_duties (name, holder, until) VALUES (?, ?, ?)",
              MARK,
              author,
              Instant.EPOCH)
          .update(connection);
    }
    return isNew;
  }

  private void add(Connection connection, Map<String, String> columns, String author)
      throws SQLException {
    database.dialect().beginChange(connection, author);
    try {
      Sql.of(
              "INSERT INTO weir.weir_access_tokens (hash, name, role, created_at, updated_at,"
                  + " version) VALUES (?, ?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 1)",
              columns.get(TokenColumns.HASH),
              columns.get(TokenColumns.NAME),
              columns.get(TokenColumns.ROLE))
          .update(connection);
    } finally {
      database.dialect().endChange(connection);
    }
  }
}
