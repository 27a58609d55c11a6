package io.weir.internal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Ends the server's process of a session's last connection once the next one is open. A commit that
 * waits for a synchronous replica has no time-out and notices nothing of its client, so a node that
 * connects again after each time-out would take all connections of the server.
 *
 * <p>Confine to one thread at a time.
 */
final class AbandonedBackend {
  private static final String START = "(extract(epoch FROM backend_start) * 1000000.0)::bigint";
  private static final String FIND =
      "SELECT pid, "
          + START
          + " FROM pg_catalog.pg_stat_activity WHERE pid = pg_catalog.pg_backend_pid()";
  private static final String END =
      "SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity WHERE pid = ? AND "
          + START
          + " = ?";

  private @Nullable Backend current;
  private @Nullable Backend abandoned;

  /** Notes that the current connection was given up. */
  void abandon() {
    if (current != null) {
      abandoned = current;
      current = null;
    }
  }

  /** Ends the process of the connection that was given up before this one was opened. */
  void succeed(Connection next) throws SQLException {
    Backend last = abandoned;
    if (last != null) {
      end(next, last);
      abandoned = null;
    }
    current = find(next);
  }

  private static void end(Connection connection, Backend last) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(END)) {
      statement.setInt(1, last.pid);
      statement.setLong(2, last.start);
      statement.execute();
    } catch (SQLException failure) {
      if (!Failures.isWithoutRight(failure)) { // somebody may have revoked it from all users
        throw failure;
      }
    }
  }

  private static @Nullable Backend find(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? new Backend(row.getInt(1), row.getLong(2)) : null;
    }
  }

  /**
   * A process of a server.
   *
   * @param pid its number, which another process may have later
   * @param start when it began, in microseconds
   */
  private record Backend(int pid, long start) {}
}
