package io.weir.internal.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/** Ends connections that may have ended already. */
final class Connections {
  private Connections() {}

  /** Returns whether a connection is open, as far as this side knows. */
  static boolean isOpen(Connection connection) {
    try {
      return !connection.isClosed();
    } catch (SQLException broken) {
      return false;
    }
  }

  /** Ends the connection itself, from any thread, so that no pool hands it out again. */
  static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException gone) {
      // then it is closed
    }
    close(connection);
  }

  static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException gone) {
      // it was closed already
    }
  }
}
