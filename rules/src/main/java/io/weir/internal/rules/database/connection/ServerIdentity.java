package io.weir.internal.rules.database.connection;

import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.TransactionRunner;
import io.weir.rules.problem.RulesUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/**
 * Reads which cluster of PostgreSQL answers, and its timeline, which changes when a replica becomes
 * the primary. What the role may not read, or a derived product doesn't have, is left out.
 *
 * <p>Safe for concurrent use.
 */
final class ServerIdentity {
  private static final String SYSTEM =
      "SELECT CAST(system_identifier AS text) FROM pg_catalog.pg_control_system()";
  private static final String TIMELINE =
      "SELECT pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8)";

  /** Classes of SQLSTATE that mean that there is no such thing, or no right to it. */
  private static final Set<String> UNREADABLE = Set.of("0A", "42", "55", "58");

  private final Part system = new Part(SYSTEM);
  private final Part timeline = new Part(TIMELINE);

  /** One statement, until it is refused. */
  private static final class Part {
    private final String sql;
    private volatile boolean isRefused;

    Part(String sql) {
      this.sql = sql;
    }

    Optional<String> read(TransactionRunner transactions) {
      if (isRefused) {
        return Optional.empty();
      }
      try {
        return transactions.read("the server can't be identified", this::text);
      } catch (RulesUnavailableException failed) {
        if (!UNREADABLE.contains(SqlState.kind(SqlState.of(failed)))) {
          throw failed;
        }
        isRefused = true;
        return Optional.empty();
      }
    }

    private Optional<String> text(Connection connection) throws SQLException {
      return Sql.of(sql).first(connection, row -> row.getString(1));
    }
  }

  /** Returns what can be read; empty if nothing can. */
  Optional<String> read(TransactionRunner transactions) {
    Optional<String> ofSystem = system.read(transactions);
    Optional<String> ofTimeline = timeline.read(transactions);
    return ofSystem.isEmpty() && ofTimeline.isEmpty()
        ? Optional.empty()
        : Optional.of(ofSystem.orElse("") + "/" + ofTimeline.orElse(""));
  }
}
