package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cassandra.Await;
import io.weir.compat.cassandra.CassandraCluster;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.seeds.DeepOnly;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The counts of two data centres in one keyspace, when they are joined again. */
@DeepOnly
class JoinedDataCentresTest {
  private static final int LIMIT = 100;
  private static final int ATTEMPTS_AT_ONCE = 8;
  private static final AtomicInteger TABLES = new AtomicInteger();

  private static CassandraCluster cluster;
  private final List<LeasingStore> open = new ArrayList<>();
  private String prefix;

  @BeforeAll
  static void start() {
    CassandraCluster.assumePresent();
    cluster = CassandraCluster.start(1, 1);
    cluster.define(
        "CREATE KEYSPACE two WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1, 'datacenter2': 1}");
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** The driver takes one data centre to agree with itself, so the table is made beforehand. */
  @BeforeEach
  void makeTable() {
    prefix = "t" + TABLES.incrementAndGet();
    cluster.define(CassandraSchema.createTable("two." + prefix + "_buckets").replace(";", ""));
  }

  @AfterEach
  void close() {
    open.forEach(LeasingStore::close);
    cluster.join();
  }

  /** A node in a data centre, with settings as names and values by turns. */
  private LeasingStore node(int dataCentre, String... settings) {
    CassandraServer server = cluster.dataCentre(dataCentre).get(0);
    Map<String, String> given = new HashMap<>();
    given.put("weir.secret", "of the tests");
    given.put("weir.prefix", prefix);
    given.put("weir.store.timeout", "5s"); // a busy machine may take long
    for (int i = 0; i < settings.length; i += 2) {
      given.put("weir.store.cassandra." + settings[i], settings[i + 1]);
    }
    LeasingStore store =
        (LeasingStore)
            new CassandraProvider()
                .open(
                    URI.create(
                        "cassandra://"
                            + server.address()
                            + ":"
                            + server.port()
                            + "/two?dc="
                            + server.dataCentre()),
                    name -> given.getOrDefault(name, ""),
                    Ticker.system());
    open.add(store);
    store.connect().toCompletableFuture().join();
    store.heartbeat("node " + open.size()).toCompletableFuture().join();
    return store;
  }

  private static BucketId bucket(String name) {
    return bucket(Algorithm.FIXED_WINDOW, name);
  }

  private static BucketId bucket(Algorithm algorithm, String name) {
    return new BucketId(
        BucketSpec.builder("p").algorithm(algorithm).window(Duration.ofDays(300)).build(),
        Key.of(name));
  }

  /** The permits granted to one claim, which takes up to a number. */
  private static long take(LeasingStore node, String name, int limit, int needed) {
    return take(node, bucket(name), limit, needed);
  }

  private static long take(LeasingStore node, BucketId bucket, int limit, int needed) {
    Claim claim = Claim.builder(bucket, limit, limit).needed(needed).build();
    List<Optional<Grant>> grants = node.execute(List.of(claim)).toCompletableFuture().join();
    return grants.get(0).orElseThrow(() -> new CompletionException("away", null)).permits();
  }

  /** Takes one by one, until it is refused. */
  private static long takeAll(LeasingStore node, String name, int limit) {
    long taken = 0;
    while (take(node, name, limit, 1) == 1) {
      taken++;
    }
    return taken;
  }

  @Test
  void withoutSharesEachHandsOutAWholeLimitUntilItHearsOfTheOther() {
    LeasingStore here = node(1);
    LeasingStore there = node(2);
    cluster.cutOff(cluster.dataCentre(2));
    assertEquals(LIMIT, takeAll(here, "a", LIMIT));
    assertEquals(LIMIT, takeAll(there, "a", LIMIT));
    assertEquals(LIMIT / 2, take(here, "b", LIMIT, LIMIT / 2));
    cluster.join();
    Await.until("there hears of b", () -> left(there, "b") == LIMIT / 2);
    assertEquals(0, takeAll(here, "a", LIMIT) + takeAll(there, "a", LIMIT));
    assertEquals(LIMIT / 2, takeAll(there, "b", LIMIT));
  }

  /** The permits left, by a claim for none. */
  private static long left(LeasingStore node, String name) {
    Claim look = Claim.builder(bucket(name), LIMIT, LIMIT).build();
    return node.execute(List.of(look)).toCompletableFuture().join().get(0).orElseThrow().left();
  }

  @Test
  void aQuorumOfAllIsExactForClaimsAtTheSameTimeAndTakesNothingWhileTheyAreCutOff()
      throws Exception {
    String[] quorum = {"read-consistency", "quorum", "write-consistency", "quorum"};
    LeasingStore here = node(1, quorum);
    LeasingStore there = node(2, quorum);
    long taken = takeAtOnce(List.of(here, there), bucket("a"));
    assertTrue(taken <= LIMIT, "taken " + taken);
    taken += takeAll(here, "a", LIMIT) + takeAll(there, "a", LIMIT);
    assertEquals(LIMIT, taken);
    cluster.cutOff(cluster.dataCentre(2));
    assertThrows(CompletionException.class, () -> take(here, "b", LIMIT, 1));
    assertThrows(CompletionException.class, () -> take(there, "b", LIMIT, 1));
    cluster.join();
    Await.until("claims are executed again", () -> isReached(here, "c") && isReached(there, "c"));
    assertEquals(0, takeAll(here, "a", LIMIT) + takeAll(there, "a", LIMIT));
    long late = takeAll(here, "b", LIMIT) + takeAll(there, "b", LIMIT);
    assertTrue(late <= LIMIT && late >= LIMIT - 2, "taken " + late);
  }

  /** One and two replicas of the two are all, though no level names both data centres. */
  @Test
  void levelsThatSpanAllReplicasAreExactForTransactionsToo() throws Exception {
    String[] all = {"read-consistency", "one", "write-consistency", "two"};
    LeasingStore here = node(1, all);
    LeasingStore there = node(2, all);
    for (String name : List.of("a", "b", "c")) {
      BucketId level = bucket(Algorithm.TOKEN_BUCKET, name);
      long taken = takeAtOnce(List.of(here, there), level);
      assertTrue(taken <= LIMIT, "taken " + taken);
    }
  }

  private static boolean isReached(LeasingStore node, String name) {
    try {
      return take(node, name, LIMIT, 1) == 1;
    } catch (CompletionException notYet) {
      return false;
    }
  }

  /** Nothing if other nodes were faster again and again. */
  private static long takeIfReached(LeasingStore node, BucketId bucket) {
    try {
      return take(node, bucket, LIMIT, 1);
    } catch (CompletionException away) {
      return 0;
    }
  }

  private static long takeAtOnce(List<LeasingStore> nodes, BucketId bucket) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(nodes.size() * ATTEMPTS_AT_ONCE);
    try {
      List<Future<Long>> takers = new ArrayList<>();
      for (LeasingStore node : nodes) {
        for (int i = 0; i < ATTEMPTS_AT_ONCE; i++) {
          takers.add(
              threads.submit(
                  () -> {
                    long taken = 0;
                    for (int claim = 0; claim < LIMIT / ATTEMPTS_AT_ONCE; claim++) {
                      taken += takeIfReached(node, bucket);
                    }
                    return taken;
                  }));
        }
      }
      long all = 0;
      for (Future<Long> each : takers) {
        all += each.get();
      }
      return all;
    } finally {
      threads.shutdown();
    }
  }
}
