package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.compat.redis.Distance;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node that is 100 ms away reports debts of a bucket that five near nodes keep changing, 50 times
 * a second together; at other rates as well in a long build.
 */
@OneDayIn(2)
class FarReportsTest {
  private static final Duration AWAY = Duration.ofMillis(100);
  private static final int NEAR = 5;
  private static final int REPORTS = 15;
  private static final int DEBT = 3;
  private static final long LIMIT = 100_000;
  private static final long SECOND = 1_000_000_000;

  /** Claims of which nobody knows whether they were executed. */
  private final AtomicInteger unknown = new AtomicInteger();

  private final AtomicBoolean ended = new AtomicBoolean();
  private final List<CassandraStore> near = new ArrayList<>();

  static List<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (Algorithm each : List.of(Algorithm.TOKEN_BUCKET, Algorithm.SLIDING_WINDOW)) {
      for (int changes : Seeds.deep() ? List.of(10, 20, 50) : List.of(50)) {
        cases.add(Arguments.of(each, changes));
      }
    }
    return cases;
  }

  @AfterEach
  void close() {
    near.forEach(CassandraStore::close);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void areAllCharged(Algorithm algorithm, int changesPerSecond) {
    BucketSpec spec =
        BucketSpec.builder("far").algorithm(algorithm).window(Duration.ofDays(300)).build();
    BucketId bucket = new BucketId(spec, Key.of(UUID.randomUUID().toString()));
    for (int i = 0; i < NEAR; i++) {
      near.add(Servers.open(Servers.shared()));
    }
    try (Distance distance = Servers.away(AWAY);
        CassandraStore far = Servers.open(Servers.through(distance))) {
      List<CompletableFuture<Long>> changes =
          near.stream()
              .map(
                  each ->
                      CompletableFuture.supplyAsync(
                          () -> change(each, bucket, changesPerSecond),
                          task -> new Thread(task).start()))
              .toList();
      List<Long> millis = new ArrayList<>();
      for (int i = 0; i < REPORTS; i++) {
        long sentAt = System.nanoTime();
        Optional<Grant> answer =
            execute(far, Claim.builder(bucket, LIMIT, LIMIT).debt(DEBT).build());
        assertTrue(answer.isPresent(), "report " + i + " isn't charged; " + millis);
        millis.add((System.nanoTime() - sentAt) / 1_000_000);
      }
      ended.set(true);
      long granted = changes.stream().mapToLong(CompletableFuture::join).sum();
      System.out.printf(
          "%s, %d changes a second: %d reports were charged after ms %s, and %d near permits%n",
          algorithm, changesPerSecond, REPORTS, millis, granted);
      near.forEach(each -> Await.until("what wasn't granted is written back", each::isQuiet));
      Await.until("what wasn't granted is written back", far::isQuiet);
      long used =
          LIMIT - execute(near.get(0), Claim.peek(bucket, 1, LIMIT, LIMIT)).orElseThrow().left();
      long least = granted + (long) REPORTS * DEBT;
      assertTrue(used >= least, used + " of " + least);
      assertTrue(used == least || unknown.get() > 0, used + " instead of " + least);
    } finally {
      ended.set(true);
    }
  }

  private long change(CassandraStore node, BucketId bucket, int perSecond) {
    long granted = 0;
    long next = System.nanoTime();
    while (!ended.get()) {
      granted += execute(node, Claim.of(bucket, 1, LIMIT, LIMIT)).map(Grant::permits).orElse(0L);
      next += SECOND * NEAR / perSecond;
      LockSupport.parkNanos(next - System.nanoTime());
    }
    return granted;
  }

  /** Executes a claim again if Cassandra has no time for it. */
  private Optional<Grant> execute(CassandraStore store, Claim claim) {
    while (true) {
      try {
        return store.execute(List.of(claim)).toCompletableFuture().join().get(0);
      } catch (CompletionException late) {
        unknown.incrementAndGet();
      }
    }
  }
}
