package io.weir.internal.rules.maintenance;

import io.weir.Ticker;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import java.time.Duration;
import javax.sql.DataSource;

/** Runs a node that is the leader until its process ends. */
final class MaintenanceNode {
  static final String IS_LEADER = "this node is the leader";

  private MaintenanceNode() {}

  public static void main(String[] args) throws InterruptedException {
    DataSource source = PostgresServer.source(args[0]);
    LeaderElection election =
        new LeaderElection(
            DatabaseOpener.open(source, false),
            "usage",
            "other",
            Duration.ofMillis(Long.parseLong(args[1])),
            Ticker.system());
    election.start();
    while (!election.isLeader()) {
      Thread.sleep(10);
    }
    System.out.println(IS_LEADER);
    Thread.currentThread().join();
  }
}
