package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.weir.annotation.Algorithm;
import io.weir.compat.cluster.node.Terms;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.ClusterSetup;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.OneDayIn;
import java.util.Comparator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OneDayIn(2)
class RedisClusterTest {
  private final ClusterSetup cluster = ClusterSetup.start();

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void threeNodesKeepToTheLimitUnderLoadOnThreeMasters() throws Exception {
    Terms terms = new Terms("load.cluster", Algorithm.SLIDING_WINDOW, 100, 2_000);
    LoadTest.keepsToTheLimit(cluster.url(), terms, 12);
    for (RedisServer master : cluster.masters()) {
      assertNotEquals("0", master.ask("DBSIZE"), "a master had nothing to do");
    }
  }

  @Test
  void oneFrozenMasterLeavesTheOthersKeysAlone() throws Exception {
    Drill.run(
            "one of three masters, kill -STOP",
            cluster.url(),
            () -> {
              RedisServer busiest =
                  cluster.masters().stream()
                      .max(Comparator.comparingInt(each -> Integer.parseInt(each.ask("DBSIZE"))))
                      .orElseThrow();
              busiest.pause();
              Pause.millis(1_500);
              assertFalse(Probe.answers(busiest.port()));
              busiest.resume();
              Await.until("it answers", () -> Probe.answers(busiest.port()));
            })
        .cutOff()
        .onlySomeKeys();
  }
}
