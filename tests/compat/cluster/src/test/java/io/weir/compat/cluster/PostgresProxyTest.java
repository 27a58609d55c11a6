package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.fault.Fault;
import io.weir.compat.redis.fault.FaultProxy;
import io.weir.compat.redis.fault.Moment;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresProxyTest {
  private static final long LATE_MILLIS = 50;

  private final PostgresServer server = PostgresServer.shared();
  private final FaultProxy proxy = FaultProxy.beforePostgres(server.port());
  private String url = "";
  private String proxied = "";

  @BeforeEach
  void makeTable() throws SQLException {
    url = server.newDatabase();
    proxied = url.replace(":" + server.port() + "/", ":" + proxy.port() + "/");
    try (Connection open = DriverManager.getConnection(url);
        Statement statement = open.createStatement()) {
      statement.execute("CREATE TABLE t (a INTEGER)");
    }
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void cutsStatementsBeforeAndAfterTheyAreExecuted() throws SQLException {
    insert(5);
    fail(Fault.CUT, Moment.BEFORE);
    assertEquals(5, rows());
    fail(Fault.CUT, Moment.AFTER_COMMIT);
    assertEquals(6, rows());
    fail(Fault.CUT, Moment.IN_FLIGHT);
    Await.until("executed", () -> rows() == 7);
    fail(Fault.CORRUPT, Moment.IN_FLIGHT);
    assertEquals(7, rows());
    insert(1);
    assertEquals(8, rows());
  }

  @Test
  void holdsStatementsUpUntilItIsHealed() throws SQLException {
    try (Connection open = DriverManager.getConnection(proxied)) {
      proxy.strike(Fault.STALL, Moment.AFTER_COMMIT);
      open.setNetworkTimeout(Runnable::run, 200);
      assertThrows(SQLException.class, () -> insert(open));
      Await.until("executed", () -> rows() == 1);
      proxy.heal();
    }
    insert(1);
  }

  @Test
  void answersLate() throws SQLException {
    try (Connection open = DriverManager.getConnection(proxied)) {
      proxy.slow(LATE_MILLIS, LATE_MILLIS);
      long start = System.nanoTime();
      insert(open);
      assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(LATE_MILLIS));
      assertEquals(1, proxy.struck());
    }
  }

  private void fail(Fault fault, Moment moment) throws SQLException {
    proxy.strike(fault, moment);
    try (Connection open = DriverManager.getConnection(proxied)) {
      assertThrows(SQLException.class, () -> insert(open), fault + " " + moment);
      assertEquals(1, proxy.struck());
    } finally {
      proxy.heal();
    }
  }

  private void insert(int times) throws SQLException {
    try (Connection open = DriverManager.getConnection(proxied)) {
      for (int i = 0; i < times; i++) {
        insert(open);
      }
    }
  }

  private static void insert(Connection open) throws SQLException {
    try (PreparedStatement insert = open.prepareStatement("INSERT INTO t VALUES (?)")) {
      insert.setInt(1, 1);
      insert.executeUpdate();
    }
  }

  private int rows() {
    try (Connection open = DriverManager.getConnection(url);
        Statement statement = open.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM t")) {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
