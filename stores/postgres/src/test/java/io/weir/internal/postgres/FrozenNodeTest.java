package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.fault.Fault;
import io.weir.compat.redis.fault.FaultProxy;
import io.weir.compat.redis.fault.Moment;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node that is frozen while its claim is on the way holds up no other: if it held a lock, the
 * others' claims would fail when their time is over.
 */
class FrozenNodeTest {
  /** By one connection, so that nothing but the claim is on the way. */
  private static final Map<String, String> FROZEN =
      Map.of(
          "weir.store.timeout", "10s",
          "weir.store.postgres.command-timeout", "60s",
          "weir.store.postgres.connections", "1");

  private final PostgresServer server = PostgresServer.shared();
  private final FaultProxy proxy = FaultProxy.beforePostgres(server.port());
  private PostgresStore frozen;
  private PostgresStore other;

  @BeforeEach
  void open() {
    String url = Databases.shared().replace(":" + server.port() + "/", ":" + proxy.port() + "/");
    frozen = Databases.open(url, FROZEN, new StoreClock(Ticker.system()));
    other = Databases.open(Databases.shared());
    assertEquals(1, granted(claim(frozen, buckets(1))), "it is connected");
  }

  @AfterEach
  void close() {
    proxy.heal();
    frozen.close();
    other.close();
    proxy.close();
  }

  private static List<BucketId> buckets(int number) {
    BucketSpec spec =
        BucketSpec.builder("frozen" + UUID.randomUUID())
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    List<BucketId> buckets = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      buckets.add(new BucketId(spec, Key.of("caller" + i)));
    }
    return buckets;
  }

  /** Claims the only permit of each bucket. */
  private static CompletableFuture<List<Optional<Grant>>> claim(
      PostgresStore store, List<BucketId> buckets) {
    return store
        .execute(buckets.stream().map(each -> Claim.of(each, 1, 1, 1)).toList())
        .toCompletableFuture();
  }

  private static long granted(CompletableFuture<List<Optional<Grant>>> answer) {
    return answer.join().stream().mapToLong(each -> each.orElseThrow().permits()).sum();
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void holdsUpNoOther(Moment moment) {
    for (int number : new int[] {1, 3}) { // by either kind of statement
      List<BucketId> buckets = buckets(number);
      proxy.strike(Fault.STALL, moment);
      CompletableFuture<List<Optional<Grant>>> answer = claim(frozen, buckets);
      Await.until("it is frozen", () -> proxy.struck() > 0);
      long granted = granted(claim(other, buckets));
      assertEquals(moment == Moment.AFTER_COMMIT ? 0 : number, granted);
      proxy.heal();
      assertEquals(number, granted + granted(answer), "each permit is granted once");
    }
  }
}
