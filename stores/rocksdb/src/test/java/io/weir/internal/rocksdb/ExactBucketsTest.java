package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.seeds.Seeds;
import io.weir.store.ExactBuckets;
import io.weir.store.ExactRequest;
import io.weir.store.GcraReply;
import io.weir.store.GcraRequest;
import io.weir.store.StepRefillReply;
import io.weir.store.StepRefillRequest;
import io.weir.testkit.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExactBucketsTest {
  @TempDir private Path home;

  private static StepRefillRequest reduce(String name, long take) {
    return StepRefillRequest.builder(name.getBytes(StandardCharsets.UTF_8), 2, 60_000)
        .take(take)
        .build();
  }

  private static GcraRequest throttle(String name, long quantity) {
    return new GcraRequest(name.getBytes(StandardCharsets.UTF_8), 5, 30, 60, quantity);
  }

  private static <R> R ask(RocksDbStore store, ExactRequest<R> request) {
    ExactBuckets buckets = store.exactBuckets().orElseThrow();
    return buckets.execute(request).toCompletableFuture().orTimeout(120, TimeUnit.SECONDS).join();
  }

  @Test
  void countsAreThereAgainAfterARestart() {
    FakeTicker ticker = new FakeTicker();
    try (RocksDbStore store = Opened.store(home.resolve("b"), ticker)) {
      assertEquals(2, ask(store, reduce("a", 1)).tokens());
      assertEquals(5, ask(store, throttle("a", 1)).remaining());
    }
    try (RocksDbStore store = Opened.store(home.resolve("b"), ticker)) {
      assertEquals(1, ask(store, reduce("a", 1)).tokens());
      assertEquals(4, ask(store, throttle("a", 1)).remaining());
      assertEquals(2, ask(store, reduce("b", 0)).tokens());
      ticker.advance(Duration.ofMinutes(2));
      assertEquals(2, ask(store, reduce("a", 0)).tokens());
      assertEquals(new GcraReply(false, 6, -1, 0), ask(store, throttle("a", 0)));
    }
  }

  @Test
  void requestsOfOneBatchSeeEachOther() {
    try (RocksDbStore store = Opened.store(home.resolve("b"), Ticker.system())) {
      ExactBuckets buckets = store.exactBuckets().orElseThrow();
      List<CompletableFuture<StepRefillReply>> replies = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        StepRefillRequest request =
            StepRefillRequest.builder(new byte[] {1}, 1_000, 3_600_000).take(1).build();
        replies.add(buckets.execute(request).toCompletableFuture());
      }
      Set<Long> seen = new HashSet<>();
      replies.forEach(each -> assertTrue(seen.add(each.join().tokens())));
      assertEquals(1_000, seen.size());
    }
  }

  /** More buckets than there is memory for, and more changes than the journal has room for. */
  @Test
  void countsStayExactWhileBucketsComeAndGo() {
    Random random = new Random(Seeds.first());
    long[] left = new long[1_000];
    Arrays.fill(left, 1_000_000);
    FakeTicker ticker = new FakeTicker();
    for (int start = 0; start < 3; start++) {
      try (RocksDbStore store = Opened.tight(home.resolve("b"), ticker)) {
        for (int i = 0; i < 20_000; i++) {
          int bucket = random.nextInt(random.nextBoolean() ? 20 : left.length);
          long take = random.nextInt(3);
          assertEquals(left[bucket], ask(store, many(bucket, take)).tokens(), "bucket " + bucket);
          left[bucket] -= take;
          ticker.advance(Duration.ofMillis(random.nextInt(3)));
        }
      }
    }
  }

  private static StepRefillRequest many(int bucket, long take) {
    return StepRefillRequest.builder(
            ("bucket " + bucket).getBytes(StandardCharsets.UTF_8), 1_000_000, 86_400_000)
        .take(take)
        .build();
  }
}
