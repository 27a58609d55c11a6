package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.DeepOnly;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.StepRefillRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sends each kind of statement to other versions of PostgreSQL than the newest: by connections of
 * Weir's own, and as behind a pooler, where settings come along with each.
 */
class VersionsTest {
  private static final String SETTING = "weir.store.postgres.";
  private static final int LIMIT = 10;
  private static final BucketSpec SPEC =
      BucketSpec.builder("versions")
          .algorithm(Algorithm.SLIDING_WINDOW)
          .window(Duration.ofDays(300))
          .build();

  @Test
  void theOldestTakesEachStatement() {
    sendEach(PostgresServer.OLDEST);
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 16, 17})
  @DeepOnly
  void thoseBetweenTakeEachStatement(int major) {
    sendEach(major);
  }

  private static void sendEach(int major) {
    String database = PostgresServer.shared(major).newDatabase();
    sendEach(database, Map.of(SETTING + "schema", "direct"));
    sendEach(
        database,
        Map.of(
            SETTING + "schema", "pooled",
            SETTING + "prepared-statements", "false",
            SETTING + "durability", "unlogged"));
  }

  private static void sendEach(String database, Map<String, String> settings) {
    try (PostgresStore one = open(database, settings);
        PostgresStore two = open(database, settings)) {
      Epoch epoch = result(one.epoch(0, Epoch.NONE));
      assertTrue(result(two.epoch(0, epoch)).is(epoch));
      assertEquals(3 * LIMIT, take(one, epoch, 3));
      assertEquals(0, take(two, epoch, 3));
      assertEquals(0, take(two, epoch, 1));
      assertEquals(1, result(one.heartbeat("one")).live());
      result(one.leave("one"));
      assertEquals(3, result(one.scan(SPEC, LIMIT, "", 10)).buckets().size());
      result(one.forget(bucket(0)));
      assertEquals(LIMIT, take(two, epoch, 1));
      assertEquals(0, two.sweep(0).join());
      StepRefillRequest exact =
          StepRefillRequest.builder(new byte[] {1}, 5, 60_000).take(1).build();
      assertEquals(5, result(one.exactBuckets().orElseThrow().execute(exact)).tokens());
      assertEquals(4, result(two.exactBuckets().orElseThrow().execute(exact)).tokens());
    }
  }

  private static PostgresStore open(String database, Map<String, String> settings) {
    return Databases.open(database, settings, new StoreClock(Ticker.system()));
  }

  private static <T> T result(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static BucketId bucket(int number) {
    return new BucketId(SPEC, Key.of("caller" + number));
  }

  /** Claims all of several buckets at once; returns the number of permits that are granted. */
  private static long take(PostgresStore store, Epoch epoch, int buckets) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < buckets; i++) {
      claims.add(Claim.of(bucket(i), LIMIT, LIMIT, LIMIT));
    }
    return result(store.execute(0, epoch, claims)).stream()
        .mapToLong(each -> each.orElseThrow().permits())
        .sum();
  }
}
