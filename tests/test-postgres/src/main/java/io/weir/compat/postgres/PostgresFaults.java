package io.weir.compat.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes what other users of a database do to an application. What begins something returns what
 * ends it.
 */
public final class PostgresFaults {
  private static final String TOO_MANY_CONNECTIONS = "53300";

  private PostgresFaults() {}

  /** Something that is wrong until it is closed. */
  public interface Trouble extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Ends all connections to a database but the one it needs for that: their next statement fails
   * with 57P01.
   *
   * @param url the address of the database
   */
  public static void endConnections(String url) {
    Sql.execute(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
  }

  /**
   * Uses up {@code max_connections}, also those kept for superusers: new connections are refused
   * with 53300.
   *
   * @param url the address of a database, of a server that was started with few connections
   * @return ends these connections
   */
  public static Trouble takeAllConnections(String url) {
    List<Connection> taken = new ArrayList<>();
    try {
      while (true) {
        taken.add(DriverManager.getConnection(url));
      }
    } catch (SQLException refused) {
      Trouble trouble = () -> taken.forEach(PostgresFaults::end);
      if (!TOO_MANY_CONNECTIONS.equals(refused.getSQLState())) {
        trouble.close();
        throw new IllegalStateException(refused);
      }
      return trouble;
    }
  }

  /**
   * Locks a table as {@code ALTER TABLE} does, in a transaction that stays open: whoever reads or
   * writes it waits.
   *
   * @param url the address of its database
   * @param table its name, with its schema if need be
   * @return rolls the transaction back
   */
  public static Trouble lock(String url, String table) {
    return hold(url, "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
  }

  /**
   * Executes a statement in a transaction that stays open, for example one that locks some rows.
   *
   * @param url the address of its database
   * @param sql the statement
   * @return rolls the transaction back
   */
  public static Trouble hold(String url, String sql) {
    try {
      Connection connection = DriverManager.getConnection(url);
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
      return () -> {
        rollBack(connection);
        end(connection);
      };
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Makes all transactions of a server read-only, unless they say otherwise: writes fail with
   * 25006.
   *
   * @param server a running server
   * @return lets them write again
   */
  public static Trouble readOnly(PostgresServer server) {
    server.set("default_transaction_read_only", "on");
    return () -> server.set("default_transaction_read_only", "");
  }

  /** Returns when its locks are free, as they are some time after it is closed. */
  private static void rollBack(Connection connection) {
    try {
      if (!connection.isClosed()) {
        connection.rollback();
      }
    } catch (SQLException broken) {
      // the server has ended the transaction
    }
  }

  /** Closes a connection, which may be broken by now. */
  private static void end(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
