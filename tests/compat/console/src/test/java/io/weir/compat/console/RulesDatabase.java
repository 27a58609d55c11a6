package io.weir.compat.console;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.h2.tools.Server;

/**
 * A database that servers of other processes reach too, and that can be unreachable for a while.
 */
final class RulesDatabase implements AutoCloseable {
  private final String name = "mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  private final int port;
  private Server server;

  RulesDatabase() {
    server = listen(0);
    port = server.getPort();
  }

  private static Server listen(int port) {
    try {
      return Server.createTcpServer("-tcpPort", String.valueOf(port), "-ifNotExists").start();
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** The value of {@code weir.rules}. */
  String url() {
    return "jdbc:h2:tcp://127.0.0.1:" + port + "/" + name;
  }

  /** Ends all connections, and takes no new ones. */
  void goAway() {
    server.stop();
  }

  /** Takes connections again; it has what it had. */
  void comeBack() {
    server = listen(port);
  }

  /** Changes rows as nobody else may. */
  int update(String sql) {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:" + name);
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public void close() {
    server.stop();
  }
}
