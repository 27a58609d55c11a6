package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.seeds.RunOneIn;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cost of data loss in Cassandra: a table of its own, which is truncated. */
@RunOneIn(value = 2, own = true)
class EpochTest {
  private static final int LIMIT = 300;
  private static final List<Algorithm> ALGORITHMS =
      List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.TOKEN_BUCKET);

  private final String keyspace = "k" + UUID.randomUUID().toString().replace("-", "");
  private final List<AutoCloseable> open = new ArrayList<>();
  private CqlSession admin;

  @BeforeEach
  void connect() {
    admin = Servers.session();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    admin.execute("DROP KEYSPACE IF EXISTS " + keyspace);
    admin.close();
  }

  private CassandraStore store() {
    CassandraStore store = Servers.open(keyspace);
    open.add(store);
    return store;
  }

  private static Epoch ask(CassandraStore store, Epoch known) {
    return store.epoch(0, known).toCompletableFuture().join();
  }

  @Test
  void isOneForAllAndStays() {
    CassandraStore one = store();
    CassandraStore two = store();
    Epoch first = ask(one, Epoch.NONE);
    assertTrue(first.exists());
    assertFalse(first.wiped());
    assertTrue(first.is(ask(two, Epoch.NONE)));
    Epoch later = ask(one, first);
    assertTrue(later.is(first));
    assertFalse(later.wiped());
    assertTrue(later.beats() >= first.beats());
    Await.until("it beats", () -> ask(two, first).beats() > first.beats());
  }

  @Test
  void isAnotherOneOnceTheTableWasTruncatedAndAllHearIt() {
    CassandraStore one = store();
    CassandraStore two = store();
    Epoch first = ask(one, Epoch.NONE);
    BucketId bucket = bucket(Algorithm.FIXED_WINDOW);
    assertEquals(7, take(one, first, bucket, 7));
    admin.execute("TRUNCATE " + keyspace + ".weir_buckets");
    for (CassandraStore each : List.of(one, two)) {
      CompletionException lost =
          assertThrows(CompletionException.class, () -> take(each, first, bucket, 1));
      assertInstanceOf(DataLossException.class, lost.getCause());
    }
    Epoch next = ask(two, Epoch.NONE); // one that knew nothing comes first
    assertNotEquals(first.id(), next.id());
    assertFalse(next.wiped());
    Epoch heard = ask(one, first);
    assertTrue(heard.is(next));
    assertTrue(heard.wiped());
    assertTrue(ask(two, next).wiped(), "and the other one hears it too");
    assertEquals(LIMIT, take(one, heard, bucket, LIMIT), "the store doesn't count it twice");
  }

  /** A replica that lagged behind, say: what other nodes have charged counts on afterwards. */
  @Test
  void aReadingWithoutTheEpochHidesNobodyAfterwards() {
    CassandraStore one = store();
    CassandraStore two = store();
    Epoch epoch = ask(one, Epoch.NONE);
    BucketId bucket = bucket(Algorithm.FIXED_WINDOW);
    assertEquals(7, take(one, epoch, bucket, 7));
    String row = " WHERE name = 'epoch@" + CassandraServer.DATA_CENTRE + "' AND slot = 0";
    Row before =
        admin.execute("SELECT writer, state, used FROM " + keyspace + ".weir_buckets" + row).one();
    String writer = " AND writer = " + before.getUuid(0);
    admin.execute("DELETE FROM " + keyspace + ".weir_buckets" + row + writer);
    assertThrows(CompletionException.class, () -> take(one, epoch, bucket, 1));
    admin.execute(
        "UPDATE " + keyspace + ".weir_buckets SET state = ?, used = ?" + row + writer,
        before.getByteBuffer(1),
        before.getLong(2));
    assertEquals(100, take(two, epoch, bucket, 100));
    assertEquals(0, take(one, epoch, bucket, LIMIT - 100 + 1), "the other one's count");
    assertEquals(LIMIT - 107, takeMost(one, epoch, bucket), "what it had charged it tells again");
  }

  private static long takeMost(CassandraStore store, Epoch epoch, BucketId bucket) {
    Claim claim = Claim.builder(bucket, LIMIT, LIMIT).needed(LIMIT - 107).build();
    return store.execute(0, epoch, List.of(claim)).toCompletableFuture().join().stream()
        .map(Optional::orElseThrow)
        .mapToLong(Grant::permits)
        .sum();
  }

  /** By a state that stays as long: a mark of removal goes sooner than a replica comes back. */
  @Test
  void aForgottenLevelLeavesARowThatOutlivesTheOldOne() {
    CassandraStore store = store();
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    assertEquals(200, take(store, Epoch.NONE, bucket, 200));
    String query =
        "SELECT ttl(state), state FROM "
            + keyspace
            + ".weir_buckets WHERE slot = 0 ALLOW FILTERING";
    int before = admin.execute(query).one().getInt(0);
    store.forget(bucket).toCompletableFuture().join();
    Row after = admin.execute(query).one();
    assertEquals(0, after.getByteBuffer(1).remaining());
    assertTrue(after.getInt(0) >= before, before + " and " + after.getInt(0));
    assertEquals(LIMIT, take(store, Epoch.NONE, bucket, LIMIT));
  }

  @Test
  void aTransactionAfterwardsFindsNothing() {
    CassandraStore store = store();
    Epoch first = ask(store, Epoch.NONE);
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    assertEquals(150, take(store, first, bucket, 150));
    admin.execute("TRUNCATE " + keyspace + ".weir_buckets");
    assertThrows(CompletionException.class, () -> take(store, first, bucket, 1));
    Epoch next = ask(store, first);
    Claim debt = Claim.builder(bucket, LIMIT, LIMIT).debt(150).build();
    Grant told = store.execute(0, next, List.of(debt)).toCompletableFuture().join().get(0).get();
    assertTrue(told.left() > 100, told.toString());
    assertEquals(100, take(store, next, bucket, 100));
  }

  @Test
  void isAnotherOneIfAnOlderStateComesBack() {
    CassandraStore store = store();
    Epoch first = ask(store, Epoch.NONE);
    long later = Ticker.system().epochMicros() / 1_000_000 + 3_600;
    Epoch seen = new Epoch(first.id(), later, 0, false);
    Epoch next = ask(store, seen);
    assertNotEquals(first.id(), next.id());
    assertTrue(next.wiped());
  }

  @Test
  void aDroppedKeyspaceIsMadeAgain() {
    CassandraStore store = store();
    Epoch first = ask(store, Epoch.NONE);
    admin.execute("DROP KEYSPACE " + keyspace);
    Await.until(
        "it is made again",
        () -> {
          try {
            return ask(store, first).wiped();
          } catch (CompletionException away) {
            return false;
          }
        });
    assertEquals(1, take(store, ask(store, first), bucket(Algorithm.TOKEN_BUCKET), 1));
  }

  private static BucketId bucket(Algorithm algorithm) {
    BucketSpec spec =
        BucketSpec.builder("epoch").algorithm(algorithm).window(Duration.ofDays(300)).build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private static long take(CassandraStore store, Epoch epoch, BucketId bucket, long permits) {
    Claim claim = Claim.of(bucket, permits, LIMIT, LIMIT);
    return store.execute(0, epoch, List.of(claim)).toCompletableFuture().join().stream()
        .map(Optional::orElseThrow)
        .mapToLong(Grant::permits)
        .sum();
  }

  @Test
  void costsNoSecondLimitWhenTruncatedUnderLoad() {
    List<RateLimiter> nodes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RateLimiter node =
          RateLimiter.builder()
              .store(
                  Servers.address(Servers.shared()).replace(Servers.KEYSPACE, keyspace),
                  name -> name.equals("weir.store.timeout") ? "2s" : "")
              .storeTimeout(Duration.ofSeconds(2))
              .startTimeout(Duration.ofMinutes(1))
              .flushInterval(Duration.ofMillis(500))
              .build();
      nodes.add(node);
      open.add(node);
    }
    Map<Algorithm, Integer> admitted = new HashMap<>();
    Await.until("all are answered", () -> spend(nodes, 150, admitted) == 0);
    admin.execute("TRUNCATE " + keyspace + ".weir_buckets");
    Await.until("the store is asked again", () -> spend(nodes, 60, admitted) == 0);
    Await.until("more than the limit are answered", () -> spend(nodes, 400, admitted) == 0);
    admitted.forEach(
        (algorithm, permits) ->
            assertTrue(permits <= LIMIT && permits >= 100, algorithm + " admitted " + permits));
  }

  /** The number not decided by the store. */
  private int spend(List<RateLimiter> nodes, int requests, Map<Algorithm, Integer> admitted) {
    int degraded = 0;
    for (Algorithm algorithm : ALGORITHMS) {
      Policy policy =
          Policy.builder(algorithm.name())
              .limit(LIMIT)
              .window(Duration.ofDays(300))
              .algorithm(algorithm)
              .onStoreFailure(OnStoreFailure.CLOSED)
              .build();
      for (int i = 0; i < requests; i++) {
        Decision decision =
            nodes.get(i % nodes.size()).tryAcquire(policy, Key.of("who" + keyspace));
        boolean counts = decision.admitted() && !decision.degraded();
        admitted.merge(algorithm, counts ? 1 : 0, Integer::sum);
        degraded += decision.degraded() ? 1 : 0;
      }
    }
    return degraded;
  }
}
