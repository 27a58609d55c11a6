package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketPage;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.ExactBuckets;
import io.weir.store.Grant;
import io.weir.store.Membership;
import io.weir.store.ScannedBucket;
import io.weir.store.StepRefillReply;
import io.weir.store.StepRefillRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Nodes claim the same buckets at the same time. */
class SeveralNodesTest {
  private static final int NODES = 4;
  private static final int MANY = 100;
  private static final int LIMIT = 10;
  private static final List<PostgresStore> ALL = new ArrayList<>();

  static {
    for (int i = 0; i < NODES; i++) {
      ALL.add(Databases.open(Databases.shared()));
    }
  }

  @AfterAll
  static void close() {
    ALL.forEach(PostgresStore::close);
  }

  private static BucketSpec spec(Algorithm algorithm) {
    return BucketSpec.builder("several" + UUID.randomUUID())
        .algorithm(algorithm)
        .window(Duration.ofDays(300))
        .build();
  }

  private static List<BucketId> buckets(BucketSpec spec, int number) {
    List<BucketId> buckets = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      buckets.add(new BucketId(spec, Key.of("caller" + i)));
    }
    return buckets;
  }

  /** No bucket has a row yet, all nodes claim all of them at once, in different orders. */
  @Test
  void firstClaimsRaceAndTheLimitHolds() {
    for (Algorithm algorithm : Algorithm.values()) {
      List<BucketId> buckets = buckets(spec(algorithm), 30);
      List<CompletableFuture<List<Optional<Grant>>>> answers = new ArrayList<>();
      for (int round = 0; round < 4; round++) {
        for (PostgresStore node : ALL) {
          Collections.shuffle(buckets);
          List<Claim> claims =
              buckets.stream().map(each -> Claim.of(each, 1, LIMIT, LIMIT)).toList();
          answers.add(node.execute(claims).toCompletableFuture());
        }
      }
      long granted =
          answers.stream()
              .flatMap(each -> each.join().stream())
              .mapToLong(each -> each.orElseThrow().permits())
              .sum();
      // A level with leases refuses its last permit until a slot ends, on a single node too.
      long least = BucketSpec.hasBurst(algorithm) ? LIMIT - 1 : LIMIT;
      assertTrue(granted <= 30L * LIMIT && granted >= 30 * least, algorithm + " " + granted);
    }
  }

  /** A node remembers a row; another one makes the bucket fresh. */
  @Test
  void whatOneNodeForgetsNoOtherBringsBack() {
    BucketId bucket = buckets(spec(Algorithm.FIXED_WINDOW), 1).get(0);
    assertEquals(LIMIT, take(ALL.get(0), bucket, LIMIT));
    assertEquals(0, take(ALL.get(1), bucket, 1));
    ALL.get(1).forget(bucket).toCompletableFuture().join();
    assertEquals(LIMIT - 1, take(ALL.get(0), bucket, LIMIT - 1), "it remembers the old row");
    assertEquals(1, take(ALL.get(2), bucket, 1));
    assertEquals(0, take(ALL.get(1), bucket, 1));
  }

  /** A crash takes back what was committed last; a node remembers it, another one counts on. */
  @Test
  void aNodeWhoseLastWriteWasLostReplacesNoOthers() {
    String database = PostgresServer.shared().newDatabase();
    BucketId bucket = buckets(spec(Algorithm.FIXED_WINDOW), 1).get(0);
    try (PostgresStore one = Databases.open(database);
        PostgresStore two = Databases.open(database)) {
      assertEquals(1, take(one, bucket, 1));
      Databases.run(database, "CREATE TABLE before AS SELECT * FROM weir_buckets");
      assertEquals(1, take(one, bucket, 1));
      Databases.run(
          database,
          "UPDATE weir_buckets AS b SET version = o.version, expires_at = o.expires_at,"
              + " state = o.state FROM before AS o WHERE o.key = b.key");
      assertEquals(LIMIT - 1, take(two, bucket, LIMIT - 1));
      assertEquals(0, take(one, bucket, 1));
    }
  }

  private static long take(PostgresStore store, BucketId bucket, long permits) {
    Claim claim = Claim.of(bucket, permits, LIMIT, LIMIT);
    return store
        .execute(List.of(claim))
        .toCompletableFuture()
        .join()
        .get(0)
        .orElseThrow()
        .permits();
  }

  @Test
  void exactBucketsAreExactOverAllNodes() {
    byte[] name = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
    List<CompletableFuture<StepRefillReply>> replies = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ExactBuckets buckets = ALL.get(i % NODES).exactBuckets().orElseThrow();
      StepRefillRequest request = StepRefillRequest.builder(name, 1_000, 3_600_000).take(1).build();
      replies.add(buckets.execute(request).toCompletableFuture());
    }
    Set<Long> seen = new HashSet<>();
    replies.forEach(each -> assertTrue(seen.add(each.join().tokens())));
    StepRefillRequest look = StepRefillRequest.builder(name, 1_000, 3_600_000).take(0).build();
    assertEquals(
        800,
        ALL.get(0)
            .exactBuckets()
            .orElseThrow()
            .execute(look)
            .toCompletableFuture()
            .join()
            .tokens());
  }

  @Test
  void sharesNeverExceedTheWhole() {
    String database = PostgresServer.shared().newDatabase();
    try (PostgresStore one = Databases.open(database);
        PostgresStore two = Databases.open(database)) {
      assertEquals(new Membership(1, Membership.WHOLE), beat(one, "a"));
      assertEquals(new Membership(2, 0), beat(two, "b"), "a holds all of it");
      assertEquals(new Membership(2, Membership.WHOLE / 2), beat(one, "a"));
      assertEquals(new Membership(2, 0), beat(two, "b"), "a's answer may have been lost");
      one.leave("a").toCompletableFuture().join();
      assertEquals(new Membership(1, Membership.WHOLE), beat(two, "b"));
    }
  }

  private static Membership beat(PostgresStore store, String node) {
    return store.heartbeat(node).toCompletableFuture().join();
  }

  /**
   * Beats of many nodes at once, by several processes; all are answered, in spite of each other.
   */
  @Test
  void manyNodesAreCountedAndTheirSharesNeverExceedTheWhole() {
    String database = PostgresServer.shared().newDatabase();
    List<PostgresStore> stores = new ArrayList<>();
    try {
      for (int i = 0; i < NODES; i++) {
        stores.add(Databases.open(database));
      }
      for (int round = 0; round < 3; round++) {
        List<CompletableFuture<Membership>> answers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
          answers.add(stores.get(i % NODES).heartbeat("node " + i).toCompletableFuture());
        }
        long sum = answers.stream().mapToLong(each -> each.join().share()).sum();
        assertTrue(sum <= Membership.WHOLE, "all have " + sum);
      }
      assertEquals(MANY, beat(stores.get(0), "node 0").live());
      String counts =
          "SELECT count(*) FROM weir_buckets WHERE key = decode('00', 'hex') || 'members'::bytea";
      assertEquals(1, Databases.number(database, counts));
      stores.get(1).leave("node 1").toCompletableFuture().join();
      String rows =
          "SELECT count(*) FROM weir_buckets WHERE length(state) > 12"
              + " AND key > decode('00', 'hex') || 'member.'::bytea AND key < decode('01', 'hex')";
      assertEquals(MANY - 1, Databases.number(database, rows));
    } finally {
      stores.forEach(PostgresStore::close);
    }
  }

  @Test
  void rowsOfNodesThatAreGoneAreRemoved() {
    String database = PostgresServer.shared().newDatabase();
    String rows =
        "SELECT count(*) FROM weir_buckets"
            + " WHERE key > decode('00', 'hex') || 'member.'::bytea AND key < decode('01', 'hex')";
    try (PostgresStore one = Databases.open(database)) {
      beat(one, "a");
      beat(one, "b");
      Databases.run(database, "UPDATE weir_buckets SET expires_at = 1, state = ''::bytea");
      assertEquals(1, beat(one, "a").live());
      assertEquals(1, Databases.number(database, rows));
    }
  }

  @Test
  void scansThePolicysBucketsAndNoOthers() {
    BucketSpec spec = spec(Algorithm.FIXED_WINDOW);
    PostgresStore store = ALL.get(0);
    List<BucketId> buckets = buckets(spec, 25);
    buckets.forEach(each -> assertEquals(3, take(store, each, 3)));
    assertEquals(3, take(store, buckets(spec(Algorithm.FIXED_WINDOW), 1).get(0), 3));
    Set<String> names = new HashSet<>();
    String after = "";
    do {
      BucketPage page = ALL.get(1).scan(spec, LIMIT, after, 10).toCompletableFuture().join();
      for (ScannedBucket each : page.buckets()) {
        assertTrue(names.add(each.name()));
        assertEquals(LIMIT - 3, each.left());
        assertTrue(each.resetMicros() > 0);
      }
      after = page.next();
    } while (!after.isEmpty());
    BucketHasher hasher = BucketHasher.of("secret");
    assertEquals(new HashSet<>(buckets.stream().map(hasher::of).toList()), names);
    store.forget(buckets.get(0)).toCompletableFuture().join();
    assertFalse(
        store.scan(spec, LIMIT, "", 100).toCompletableFuture().join().buckets().stream()
            .anyMatch(each -> each.name().equals(hasher.of(buckets.get(0)))));
  }

  /** Keys begin with the spec, so those of another one lie before or behind. */
  @Test
  void aScanEndsWithItsPolicy() {
    List<BucketSpec> specs =
        List.of(
            spec(Algorithm.FIXED_WINDOW),
            spec(Algorithm.FIXED_WINDOW),
            spec(Algorithm.SLIDING_WINDOW),
            spec(Algorithm.TOKEN_BUCKET));
    for (BucketSpec each : specs) {
      buckets(each, 2).forEach(bucket -> assertEquals(3, take(ALL.get(0), bucket, 3)));
    }
    for (BucketSpec each : specs) {
      BucketPage page = ALL.get(0).scan(each, LIMIT, "", 100).toCompletableFuture().join();
      assertEquals(2, page.buckets().size(), each::toString);
      assertEquals("", page.next());
    }
  }
}
