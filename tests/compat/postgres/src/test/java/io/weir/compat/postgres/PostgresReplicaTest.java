package io.weir.compat.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PostgresReplicaTest {
  private static final String PORT = "SELECT setting FROM pg_settings WHERE name = 'port'";

  @Test
  void lagsAndLosesWhatItHasntReceivedWhenItIsPromoted() {
    try (PostgresServer primary = PostgresServer.start();
        PostgresReplica replica = PostgresReplica.of(primary)) {
      PostgresServer standby = replica.server();
      String either = PostgresServer.primaryUrl("postgres", standby, primary);
      assertEquals("" + primary.port(), Sql.ask(either, PORT));
      Sql.execute(primary.url("postgres"), "CREATE TABLE t (a INTEGER)");
      replica.awaitCaughtUp();
      assertEquals(0, rows(standby));
      assertThrows(IllegalStateException.class, () -> insert(standby));

      replica.pause();
      insert(primary);
      assertEquals(0, rows(standby));
      replica.resume();
      replica.awaitCaughtUp();
      assertEquals(1, rows(standby));

      replica.lag(Duration.ofHours(1));
      insert(primary);
      assertEquals(1, rows(standby));
      replica.lag(Duration.ZERO);
      replica.awaitCaughtUp();
      assertEquals(2, rows(standby));

      replica.cutOff();
      insert(primary);
      replica.reconnect();
      replica.awaitCaughtUp();
      assertEquals(3, rows(standby));
      replica.cutOff();
      insert(primary);
      primary.kill();
      assertThrows(SQLException.class, () -> DriverManager.getConnection(either));
      replica.promote();
      assertEquals("" + standby.port(), Sql.ask(either, PORT));
      insert(standby);
      assertEquals(4, rows(standby));
    }
  }

  private static void insert(PostgresServer server) {
    Sql.execute(server.url("postgres"), "INSERT INTO t VALUES (1)");
  }

  private static int rows(PostgresServer server) {
    return Integer.parseInt(Sql.ask(server.url("postgres"), "SELECT count(*) FROM t"));
  }
}
