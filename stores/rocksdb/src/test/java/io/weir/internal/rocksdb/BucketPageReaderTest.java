package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketPage;
import io.weir.store.ScannedBucket;
import io.weir.testkit.FakeTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The buckets of a policy, page by page. */
class BucketPageReaderTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int BUCKETS = 25;

  @TempDir private Path home;

  private final FakeTicker ticker = new FakeTicker();
  private final BucketHasher names = BucketHasher.of("secret");

  private static BucketId bucket(String caller, Duration window) {
    return Opened.bucket(Algorithm.FIXED_WINDOW, window, caller);
  }

  private static BucketPage scan(RocksDbStore store, Duration window, String after, int most) {
    return store.scan(bucket("any", window).spec(), 10, after, most).toCompletableFuture().join();
  }

  @Test
  void allBucketsOfASpecAreOnSomePageAndNoOthers() {
    try (RocksDbStore store = Opened.store(home.resolve("a"), ticker)) {
      Set<String> expected = new TreeSet<>();
      for (int i = 0; i < BUCKETS; i++) {
        BucketId bucket = bucket("caller" + i, HOUR);
        Opened.take(store, bucket, 3, 10);
        Opened.take(store, bucket("caller" + i, HOUR.multipliedBy(2)), 1, 10);
        expected.add(names.of(bucket));
      }
      Map<String, ScannedBucket> found = new TreeMap<>();
      String next = "";
      int pages = 0;
      do {
        BucketPage page = scan(store, HOUR, next, 10);
        page.buckets().forEach(each -> found.put(each.name(), each));
        next = page.next();
        pages++;
      } while (!next.isEmpty());
      assertEquals(expected, found.keySet());
      assertEquals(3, pages);
      for (ScannedBucket each : found.values()) {
        assertEquals(7, each.left());
        assertTrue(each.resetMicros() > 0);
      }
    }
  }

  @Test
  void whatIsOverOrForgottenIsLeftOut() {
    try (RocksDbStore store = Opened.store(home.resolve("a"), ticker)) {
      Opened.take(store, bucket("early", HOUR), 3, 10);
      ticker.advance(HOUR.multipliedBy(2));
      Opened.take(store, bucket("late", HOUR), 3, 10);
      Opened.take(store, bucket("forgotten", HOUR), 3, 10);
      store.forget(bucket("forgotten", HOUR)).toCompletableFuture().join();
      BucketPage page = scan(store, HOUR, "", 10);
      assertEquals(1, page.buckets().size());
      assertEquals(names.of(bucket("late", HOUR)), page.buckets().get(0).name());
      assertEquals(BucketPage.EMPTY, scan(store, HOUR.multipliedBy(3), "", 10));
    }
  }

  @Test
  void aPositionThatIsNoneIsRefused() {
    try (RocksDbStore store = Opened.store(home.resolve("a"), ticker)) {
      for (String none : new String[] {"x", "ab", "not base64!"}) {
        assertThrows(IllegalArgumentException.class, () -> scan(store, HOUR, none, 10), none);
      }
      assertThrows(IllegalArgumentException.class, () -> scan(store, HOUR, "", 0));
    }
  }
}
