package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cassandra.CassandraCluster;
import io.weir.seeds.OneDayIn;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.test.log.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A keyspace in two data centres, which are cut off from each other and joined again. */
@OneDayIn(2)
class TwoDataCentresTest {
  private static final int LIMIT = 101;
  private static CassandraCluster cluster;

  private final List<CassandraStore> stores = new ArrayList<>();
  private final String keyspace = "k" + UUID.randomUUID().toString().replace("-", "");

  @BeforeAll
  static void start() {
    CassandraCluster.assumePresent();
    cluster = CassandraCluster.start(1, 1);
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void close() {
    stores.forEach(CassandraStore::close);
    cluster.join();
  }

  private CassandraStore store(int centre, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put(
        "weir.store.cassandra.replication",
        "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1, 'datacenter2': 1}");
    String address =
        Servers.address(cluster.dataCentre(centre).get(0).contactPoint())
            .replace(Servers.KEYSPACE, keyspace)
            .replace("datacenter1", "datacenter" + centre);
    CassandraStore store = Servers.open(address, all, new StoreClock(Ticker.system()));
    stores.add(store);
    cluster.awaitSameSchema();
    return store;
  }

  private static Map<String, String> share(int percent) {
    return Map.of("weir.store.cassandra.share", Integer.toString(percent));
  }

  private static Map<String, String> level(String level) {
    return Map.of(
        "weir.store.cassandra.read-consistency", level,
        "weir.store.cassandra.write-consistency", level);
  }

  private static BucketId bucket(Algorithm algorithm) {
    BucketSpec spec =
        BucketSpec.builder("centres").algorithm(algorithm).window(Duration.ofDays(300)).build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private static long takeAll(CassandraStore store, BucketId bucket) {
    Claim claim = Claim.builder(bucket, LIMIT, LIMIT).needed(LIMIT).atLeast(1).build();
    Grant grant =
        store.execute(List.of(claim)).toCompletableFuture().join().stream()
            .map(Optional::orElseThrow)
            .findFirst()
            .orElseThrow();
    return grant.permits();
  }

  @Test
  void sharesAddUpToTheLimitWhetherTheyHearEachOtherOrNot() {
    CassandraStore one = store(1, share(60));
    CassandraStore two = store(2, share(40));
    BucketId joined = bucket(Algorithm.FIXED_WINDOW);
    assertEquals(60, takeAll(one, joined));
    assertEquals(41, takeAll(two, joined));
    cluster.cutOff(cluster.dataCentre(1));
    BucketId apart = bucket(Algorithm.SLIDING_WINDOW);
    assertEquals(60, takeAll(one, apart));
    assertEquals(41, takeAll(two, apart));
    cluster.join();
    assertEquals(0, takeAll(one, apart));
    assertEquals(0, takeAll(two, apart));
  }

  @Test
  void sharesOfMoreThanAWholeStopTheStart() {
    CassandraStore one = store(1, share(60));
    try (LogLines log = new LogLines()) {
      assertThrows(CompletionException.class, () -> store(2, share(50)));
      Await.until("it is logged", () -> !log.errors().isEmpty());
      String told = log.errors().get(0);
      assertTrue(told.contains("100 percent over all data centres, not 110"), told);
      assertTrue(told.contains("{datacenter1=60, datacenter2=50}"), told);
    }
    CassandraStore two = store(2, share(40)); // what was refused doesn't count
    BucketId bucket = bucket(Algorithm.FIXED_WINDOW);
    assertEquals(LIMIT, takeAll(one, bucket) + takeAll(two, bucket));
  }

  @Test
  void withoutSharesEachMayHandOutAWholeLimitAndThatIsSaid() {
    CassandraStore one = store(1, Map.of());
    CassandraStore two = store(2, Map.of());
    try (LogLines log = new LogLines()) {
      Await.until(
          "they hear of each other",
          () -> {
            one.heartbeat("one").toCompletableFuture().join();
            two.heartbeat("two").toCompletableFuture().join();
            return log.warnings().size() == 2;
          });
      assertTrue(
          log.warnings().get(0).contains("[datacenter1, datacenter2]"), log.warnings().toString());
    }
    cluster.cutOff(cluster.dataCentre(1));
    BucketId bucket = bucket(Algorithm.FIXED_WINDOW);
    assertEquals(LIMIT, takeAll(one, bucket));
    assertEquals(LIMIT, takeAll(two, bucket), "the bound: limit × data centres");
  }

  @Test
  void aQuorumOfAllIsExactAndNeedsTheOthers() {
    CassandraStore one = store(1, level("quorum"));
    Map<String, String> impatient = new HashMap<>(level("quorum"));
    impatient.put("weir.store.timeout", "2s");
    CassandraStore two = store(2, impatient);
    BucketId bucket = bucket(Algorithm.FIXED_WINDOW);
    assertEquals(LIMIT, takeAll(one, bucket));
    assertEquals(0, takeAll(two, bucket));
    cluster.cutOff(cluster.dataCentre(1));
    assertThrows(CompletionException.class, () -> takeAll(two, bucket(Algorithm.FIXED_WINDOW)));
  }
}
