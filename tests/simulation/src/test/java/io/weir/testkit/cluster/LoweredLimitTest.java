package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits that are lowered, and tiers that share a bucket, while nodes keep far leases. */
@ExtendWith(Quiet.class)
class LoweredLimitTest {
  private static final long LIMIT = 10_000;
  private static final Duration WINDOW = Duration.ofDays(1);
  private static final Key KEY = Key.of("who");

  private long admitted;

  private static Policy policy(Algorithm algorithm) {
    return Policy.builder("p").limit(LIMIT).window(WINDOW).algorithm(algorithm).build();
  }

  private long ask(SimulatedCluster cluster, Policy policy, long limit, int requests) {
    long before = admitted;
    for (int i = 0; i < requests; i++) {
      int node = i % cluster.nodes();
      PermitRequest ask = new PermitRequest(policy, KEY, 1, limit);
      cluster.request(node, List.of(ask), decision -> admitted += decision.admitted() ? 1 : 0);
      cluster.run(Duration.ofSeconds(5));
    }
    return admitted - before;
  }

  @ParameterizedTest
  @CsvSource({
    "FIXED_WINDOW, 4",
    "FIXED_WINDOW, 8",
    "SLIDING_WINDOW, 1",
    "SLIDING_WINDOW, 4",
    "SLIDING_WINDOW, 8"
  })
  void aLoweredLimitHoldsAtOnceWhateverNodesKeep(Algorithm algorithm, int nodes) {
    Policy policy = policy(algorithm);
    SimulatedCluster cluster = SimulatedCluster.builder().nodes(nodes).build();
    assertEquals(3L * nodes, ask(cluster, policy, LIMIT, 3 * nodes));
    assertTrue(cluster.report().exchanges() < 3L * nodes, "there were no far leases");
    long left = Math.max(0, 10 - 3L * nodes);
    assertTrue(ask(cluster, policy, 10, 40 * nodes) <= left);
    assertEquals(3L * nodes, ask(cluster, policy, LIMIT, 3 * nodes), "the old limit again");
  }

  @ParameterizedTest
  @CsvSource({"FIXED_WINDOW, 1", "FIXED_WINDOW, 4", "SLIDING_WINDOW, 1", "SLIDING_WINDOW, 4"})
  void tiersThatTakeTurnsOnABucketEachHaveTheirOwnLimitAndSpareTheStore(
      Algorithm algorithm, int nodes) {
    Policy policy = policy(algorithm);
    SimulatedCluster cluster = SimulatedCluster.builder().nodes(nodes).build();
    int rounds = 60;
    long low = 0;
    for (int i = 0; i < rounds; i++) {
      assertEquals(nodes, ask(cluster, policy, LIMIT, nodes));
      low += ask(cluster, policy, 20, nodes);
    }
    assertTrue(low <= 20, low + " at a limit of 20");
    double requests = 2.0 * rounds * nodes;
    assertTrue(cluster.report().exchanges() <= 1.1 * requests, cluster.report().exchanges() + "");
  }
}
