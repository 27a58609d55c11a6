package io.weir.internal.rules.maintenance;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.Ticker;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.OtherProcess;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@OneDayIn(2)
@RunOneIn(5)
class PostgresMaintenanceTest extends MaintenanceContract {
  private String url = "";

  @Override
  DataSource fresh() {
    url = PostgresServer.shared().newDatabase();
    return PostgresServer.source(url);
  }

  @Test
  void theLeadershipOfAKilledProcessPassesOnOnceItsTimeIsOver() throws Exception {
    RuleDatabase database = DatabaseOpener.open(PostgresServer.source(url), true);
    Duration hold = Duration.ofSeconds(4);
    Process other =
        OtherProcess.start(
            MaintenanceNode.class, MaintenanceNode.IS_LEADER, url, String.valueOf(hold.toMillis()));
    try (LeaderElection mine =
        new LeaderElection(database, "usage", "mine", hold, Ticker.system())) {
      mine.start();
      Thread.sleep(hold.toMillis() / 2);
      assertFalse(mine.isLeader(), "the other node lives");
      other.destroyForcibly().waitFor();
      assertFalse(mine.isLeader());
      await("it passes on", mine::isLeader);
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void aLeaderWhoseDatabaseIsFrozenResignsByItself() {
    try (PostgresServer server = PostgresServer.start()) {
      RuleDatabase database =
          DatabaseOpener.open(
              PostgresServer.source(server.newDatabase()), true, Duration.ofSeconds(1));
      try (LeaderElection mine =
          new LeaderElection(database, "usage", "mine", Duration.ofSeconds(2), Ticker.system())) {
        mine.start();
        await("this node is the leader", mine::isLeader);
        server.freeze();
        await("no longer", () -> !mine.isLeader());
        server.thaw();
        await("it is the leader again", mine::isLeader);
      }
    }
  }
}
