package io.weir.internal.postgres;

import io.weir.compat.postgres.PostgresBackup;
import io.weir.compat.postgres.PostgresFaults;
import io.weir.compat.postgres.PostgresFaults.Trouble;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.Distance;
import io.weir.compat.redis.fault.FaultProxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * A PostgreSQL that nodes reach only through a proxy.
 *
 * <p>Confine to one thread.
 */
final class ProxiedPostgres implements AutoCloseable {
  private static final String OF_NODES = " FROM pg_stat_activity WHERE application_name = 'weir'";
  private static final String NODES = "SELECT count(*)" + OF_NODES;
  private static final String END_NODES = "SELECT count(pg_terminate_backend(pid))" + OF_NODES;

  private final PostgresServer server =
      PostgresServer.start(PostgresServer.NEWEST, Map.of("max_connections", "24"));
  private final Duration roundTrip;
  private final Distance distance;
  private final FaultProxy proxy;
  private final String direct = server.newDatabase();
  private final Deque<AutoCloseable> toUndo = new ArrayDeque<>();
  private long rows;

  /** Starts one that is so far away, to and fro. */
  ProxiedPostgres(Duration roundTrip) {
    this.roundTrip = roundTrip;
    this.distance = new Distance(server.port(), roundTrip);
    this.proxy = FaultProxy.beforePostgres(roundTrip.isZero() ? server.port() : distance.port());
  }

  /** Returns how long a message takes there and back, beside the faults. */
  Duration roundTrip() {
    return roundTrip;
  }

  PostgresServer server() {
    return server;
  }

  FaultProxy proxy() {
    return proxy;
  }

  /** The address of the database for the tests themselves. */
  String direct() {
    return direct;
  }

  /** The address for {@code weir.store}. */
  String url() {
    return direct.replace(":" + server.port() + "/", ":" + proxy.port() + "/");
  }

  /** Keeps what {@link #undo} is to end. */
  void begun(Trouble trouble) {
    toUndo.push(trouble);
  }

  /** Ends all that has begun. */
  void undo() throws Exception {
    while (!toUndo.isEmpty()) {
      toUndo.pop().close();
    }
  }

  /** Ends the connections of nodes, which proxies see. */
  void endConnectionsOfNodes() {
    Databases.run(direct, END_NODES);
  }

  /** Takes all connections, until nodes have none. */
  void takeAllConnections() {
    try {
      Connection admin = PostgresServer.source(direct).getConnection();
      toUndo.push(admin);
      long nodes;
      do {
        nodes = number(admin, END_NODES);
        begun(PostgresFaults.takeAllConnections(direct));
        nodes += number(admin, NODES); // that were faster
      } while (nodes > 0);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  void countRows() {
    rows = Databases.number(direct, "SELECT count(*) FROM weir_buckets");
  }

  /** The number of rows when they were counted. */
  long counted() {
    return rows;
  }

  /** Waits until nodes have said so often that they know the data. */
  void awaitBeats(int number) {
    long before = Databases.number(direct, FailoverTest.BEATS);
    Await.until(
        "nodes beat", () -> Databases.number(direct, FailoverTest.BEATS) >= before + number);
  }

  /** Restores a copy when it is undone. */
  void restoreLater(PostgresBackup backup) {
    toUndo.push(
        () -> {
          server.restore(backup);
          backup.close();
        });
  }

  @Override
  public void close() {
    proxy.close();
    distance.close();
    server.close();
  }
}
