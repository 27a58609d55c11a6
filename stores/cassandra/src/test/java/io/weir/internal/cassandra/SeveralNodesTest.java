package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes see each other's counts, one after the other. */
class SeveralNodesTest {
  private static final int LIMIT = 600; // so that a slot of a level is a few permits
  private final List<CassandraStore> stores = new ArrayList<>();

  private CassandraStore store() {
    CassandraStore store = Servers.open(Servers.shared());
    stores.add(store);
    return store;
  }

  @AfterEach
  void close() {
    stores.forEach(CassandraStore::close);
  }

  private static BucketId bucket(Algorithm algorithm) {
    BucketSpec spec =
        BucketSpec.builder("several").algorithm(algorithm).window(Duration.ofDays(300)).build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private static Grant execute(CassandraStore store, Claim claim) {
    Grant grant =
        store.execute(List.of(claim)).toCompletableFuture().join().stream()
            .map(Optional::orElseThrow)
            .findFirst()
            .orElseThrow();
    Await.until("what wasn't granted is written back", store::isQuiet);
    return grant;
  }

  private static Grant take(CassandraStore store, BucketId bucket, long permits) {
    return execute(store, Claim.of(bucket, permits, LIMIT, LIMIT));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aBucketThatOneForgetsIsFullForAll(Algorithm algorithm) {
    CassandraStore one = store();
    CassandraStore two = store();
    BucketId bucket = bucket(algorithm);
    assertEquals(200, take(one, bucket, 200).permits());
    assertEquals(300, take(two, bucket, 300).permits());
    one.forget(bucket).toCompletableFuture().join();
    assertEquals(500, take(two, bucket, 500).permits(), "also for whom it had counted");
    assertEquals(0, take(one, bucket, 200).permits(), "and it counts again");
    assertEquals(50, take(one, bucket, 50).permits());
  }

  /** Also if it is as much as the rows said before. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whatIsChargedAfterABucketWasForgottenCountsForAll(Algorithm algorithm) {
    CassandraStore one = store();
    CassandraStore two = store();
    for (boolean itself : new boolean[] {true, false}) {
      BucketId bucket = bucket(algorithm);
      assertEquals(LIMIT, take(one, bucket, LIMIT).permits());
      assertEquals(0, take(two, bucket, 1).permits());
      (itself ? one : two).forget(bucket).toCompletableFuture().join();
      long again = execute(one, all(bucket)).permits();
      assertTrue(again >= LIMIT - LIMIT / 20, "of a level some slots are lost: " + again);
      long more = execute(two, all(bucket)).permits();
      assertTrue(again + more <= LIMIT, again + " and " + more);
    }
  }

  private static Claim all(BucketId bucket) {
    return Claim.builder(bucket, LIMIT, LIMIT).needed(LIMIT).atLeast(1).build();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whatANodeWasGrantedCountsAfterItHasEnded(Algorithm algorithm) {
    CassandraStore one = store();
    BucketId bucket = bucket(algorithm);
    assertEquals(400, take(one, bucket, 400).permits());
    one.close();
    CassandraStore again = store();
    assertEquals(0, take(again, bucket, 300).permits());
    assertEquals(100, take(again, bucket, 100).permits());
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG"})
  void nobodyGivesBackWhatAnotherWasGranted(Algorithm algorithm) {
    CassandraStore one = store();
    CassandraStore two = store();
    BucketId bucket = bucket(algorithm);
    Grant grant = take(one, bucket, LIMIT);
    Claim back =
        Claim.builder(bucket, LIMIT, LIMIT).giveBack(new GiveBack(grant.stamp(), 5)).build();
    assertEquals(0, execute(two, back).left());
    assertEquals(5, execute(one, back).left());
    assertEquals(5, take(two, bucket, 5).permits());
  }
}
