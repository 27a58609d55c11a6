package io.weir.compat.bucket4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.bucket4j.Bucket4jStore;
import io.weir.seeds.Seeds;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the guarantees of a token bucket, on a clock of milliseconds that only the test moves. */
class LawsTest {

  private static Members members = Members.start(0);

  private final FakeTicker ticker = new FakeTicker();
  private final Bucket4jStore store = Bucket4jStore.of(manager(), name -> name);

  @BeforeAll
  static void startMember() {
    members = Members.start(1);
  }

  @AfterAll
  static void stopMember() {
    members.close();
  }

  static LongStream seeds() {
    return Seeds.of(8);
  }

  private record Admitted(long micros, long permits) {}

  @ParameterizedTest
  @MethodSource("seeds")
  void neverAdmitsMoreThanTheBurstAndWhatIsRefilled(long seed) {
    Random random = new Random(seed);
    long limit = 1 + random.nextLong(50);
    long burst = 1 + random.nextLong(30);
    Duration window = Duration.ofMillis(10 + random.nextInt(5_000));
    BucketId bucket = bucket(window, burst);
    List<Admitted> all = new ArrayList<>();
    long giveBacks = 0;
    for (int i = 0; i < 200; i++) {
      long permits = 1 + random.nextLong(burst);
      Grant grant = execute(Claim.of(bucket, permits, limit, burst));
      long back = random.nextInt(4) < seed % 2 ? grant.permits() : 0;
      giveBacks += back > 0 ? 1 : 0;
      if (grant.permits() > back) {
        all.add(new Admitted(ticker.epochMicros(), grant.permits()));
      } else if (grant.permits() == 0) {
        assertTrue(grant.left() < permits);
      }
      advance(random.nextLong(window.toNanos() / 1_000 / limit * 2 + 2));
      if (back > 0) {
        execute(giveBack(bucket, grant, limit, burst));
      }
    }
    assertBound(all, limit, burst + giveBacks / 2, window);
  }

  // A give-back is rounded to the nearest permit, so it may add half a permit too much.
  private static void assertBound(List<Admitted> all, long limit, long burst, Duration window) {
    for (int from = 0; from < all.size(); from++) {
      long sum = 0;
      for (Admitted each : all.subList(from, all.size())) {
        sum += each.permits();
        // The bucket's clock may be up to a millisecond behind at first, so one more is possible.
        long elapsed = each.micros() - all.get(from).micros() + 1_000;
        long most = burst + elapsed * limit / (window.toNanos() / 1_000);
        assertTrue(sum <= most, sum + " instead of " + most);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whoRetriesAsToldIsAdmitted(long seed) {
    Random random = new Random(seed);
    boolean large = random.nextBoolean();
    long limit = 1 + random.nextLong(large ? 1_000_000_000 : 100);
    Duration window = Duration.ofMillis(10 + random.nextLong(large ? 31_622_400_000L : 10_000));
    long fastest = window.toNanos();
    long rate = Math.min(limit, fastest);
    long burst = 1 + random.nextLong(rate);
    BucketId bucket = bucket(window, burst);
    for (int i = 0; i < 50; i++) {
      long permits = 1 + random.nextLong(burst);
      Grant grant = execute(Claim.of(bucket, permits, rate, burst));
      if (grant.permits() == 0) {
        advance(grant.retry());
        assertEquals(permits, execute(Claim.of(bucket, permits, rate, burst)).permits());
      }
      advance(random.nextLong(5_000));
      if (random.nextInt(8) == 0) {
        execute(Claim.builder(bucket, rate, burst).debt(1 + random.nextLong(burst)).build());
      }
    }
  }

  @Test
  void aGiveBackCreditsWhatHasNotBeenRefilledMeanwhile() {
    BucketId bucket = bucket(Duration.ofSeconds(10), 10);
    execute(Claim.of(bucket, 6, 10, 10));
    Grant last = execute(Claim.of(bucket, 4, 10, 10));
    advance(8_000_000);
    // Eight of ten are refilled; two of the last four are still missing, and only these come back.
    assertEquals(8, execute(Claim.of(bucket, 8, 10, 10)).permits());
    assertEquals(2, execute(giveBack(bucket, last, 10, 10)).left());
    advance(2_000_000);
    execute(Claim.of(bucket, 4, 10, 10));
    assertEquals(0, execute(giveBack(bucket, last, 10, 10)).left());
  }

  @Test
  void limitsThatGoUpAndDownMakeNoTokens() {
    BucketId bucket = bucket(Duration.ofDays(1), 0);
    assertEquals(90, execute(Claim.of(bucket, 90, 100, 100)).permits());
    for (int i = 0; i < 10; i++) {
      assertEquals(0, execute(Claim.of(bucket, 11, 50, 50)).permits());
      assertEquals(0, execute(Claim.of(bucket, 11, 1_000, 1_000)).permits());
    }
    assertEquals(10, execute(Claim.peek(bucket, 1, 70, 70)).left());
    assertEquals(10, execute(Claim.of(bucket, 10, 50, 50)).permits());
  }

  @Test
  void aLowerLimitHoldsAtOnceAndAHigherOneRefillsFaster() {
    BucketId bucket = bucket(Duration.ofSeconds(10), 0);
    execute(Claim.of(bucket, 1, 100, 100));
    Grant lower = execute(Claim.of(bucket, 1, 10, 10));
    assertEquals(1, lower.permits());
    assertEquals(9, lower.left());
    execute(Claim.of(bucket, 9, 10, 10));
    assertEquals(0, execute(Claim.of(bucket, 1, 1_000, 1_000)).permits());
    advance(1_000_000);
    assertEquals(100, execute(Claim.peek(bucket, 1, 1_000, 1_000)).left());
  }

  @Test
  void aClaimThatCannotBeCountedFailsAlone() {
    BucketId good = bucket(Duration.ofSeconds(1), 0);
    Claim fine = Claim.of(good, 1, 10, 10);
    Claim tooFast = Claim.of(bucket(Duration.ofMillis(10), 0), 1, 1_000_000_000, 10);
    List<Optional<Grant>> answers =
        store.execute(List.of(fine, tooFast, fine)).toCompletableFuture().join();
    assertEquals(List.of(true, false, true), answers.stream().map(Optional::isPresent).toList());
    String message = failure(tooFast);
    assertTrue(message.contains("at most one permit per nanosecond"), message);
    BucketSpec even =
        BucketSpec.builder("laws")
            .algorithm(Algorithm.LEAKY_BUCKET)
            .window(Duration.ofSeconds(1))
            .build();
    message = failure(Claim.of(new BucketId(even, Key.of("good")), 1, 10, 1));
    assertTrue(message.contains("LEAKY_BUCKET"), message);
    assertEquals(Set.of(Algorithm.TOKEN_BUCKET), store.algorithms());
  }

  @Test
  void anExecutorThatRefusesFailsTheClaim() {
    Bucket4jStore busy =
        Bucket4jStore.builder(manager(), name -> name)
            .executor(
                work -> {
                  throw new RejectedExecutionException("busy");
                })
            .build();
    Claim claim = Claim.of(bucket(Duration.ofSeconds(1), 0), 1, 10, 10);
    assertThrows(
        CompletionException.class, () -> busy.execute(List.of(claim)).toCompletableFuture().join());
  }

  @Test
  void isClosedForGoodAndLeavesTheBackendAlone() {
    Claim claim = Claim.of(bucket(Duration.ofSeconds(1), 0), 1, 10, 10);
    execute(claim);
    Bucket4jStore other = Bucket4jStore.of(manager(), name -> name);
    other.close();
    assertThrows(
        CompletionException.class,
        () -> other.execute(List.of(claim)).toCompletableFuture().join());
    assertEquals(8, execute(claim).left());
  }

  private ProxyManager<String> manager() {
    return members.manager(0, new Clock(ticker));
  }

  private String failure(Claim claim) {
    return store
        .execute(List.of(claim))
        .handle((grants, failure) -> failure == null ? "none" : failure.toString())
        .toCompletableFuture()
        .join();
  }

  private Grant execute(Claim claim) {
    return store.execute(List.of(claim)).toCompletableFuture().join().get(0).orElseThrow();
  }

  private static Claim giveBack(BucketId bucket, Grant grant, long limit, long burst) {
    List<GiveBack> all = List.of(new GiveBack(grant.stamp(), grant.permits()));
    return Claim.builder(bucket, limit, burst).giveBacks(all).build();
  }

  private void advance(long micros) {
    ticker.advance(Duration.of(micros, ChronoUnit.MICROS));
  }

  private static BucketId bucket(Duration window, long burst) {
    BucketSpec spec =
        BucketSpec.builder("laws")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(window)
            .burst(burst)
            .build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }
}
