package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.compat.cluster.node.Terms;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.Jdks;
import io.weir.seeds.RequiredPrograms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VirtualThreadDetectorTest {
  private static final Terms TERMS = new Terms("wait", Algorithm.SLIDING_WINDOW, 10, 60_000);
  private static final int REQUESTS = 1_000;
  private static final int MANY_TURNS = 50;
  private static final int MAX_ROUNDS = 40;

  @Test
  void aThousandRequestsThatWaitForAStalledStoreDontStopAnotherVirtualThread() throws Exception {
    Optional<Path> jdk = Jdks.find(21, Integer.MAX_VALUE, "WEIR_TEST_JDK25", "JAVA_HOME_25");
    RequiredPrograms.assumePresent(
        jdk.isPresent(), "a JDK of 21 or newer (WEIR_TEST_JDK25 says where it is)");
    List<String> one =
        List.of(
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1");
    try (RedisServer redis = RedisServer.start();
        NodeProcess node = NodeProcess.start(jdk.orElseThrow(), one)) {
      node.ask("open weir.store.timeout=1500ms weir.store=" + redis.url());
      int rounds = 0;
      while (!values(node, "warm" + rounds).get("degraded").equals("0")) { // on a busy machine
        assertTrue(++rounds < MAX_ROUNDS, "it is never warm");
      }
      redis.pause();
      Map<String, String> values = values(node, "cold");
      assertFalse(Probe.answers(redis.port()));
      redis.resume();
      assertEquals("" + REQUESTS, values.get("answered"));
      assertEquals("" + REQUESTS, values.get("degraded"));
      int turns = Integer.parseInt(values.get("turns"));
      assertTrue(turns > MANY_TURNS, "the other thread ran only " + turns + " times");
    }
  }

  private static Map<String, String> values(NodeProcess node, String key) throws Exception {
    return node.ask("wait " + TERMS.line() + " " + key + " " + REQUESTS).stream()
        .map(line -> line.split(" "))
        .collect(Collectors.toMap(words -> words[0], words -> words[1]));
  }
}
