package io.weir.internal.rocksdb;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Stores that tests open, and what they ask of them. */
final class Opened {
  private Opened() {}

  static RocksDbStore store(Path directory, Ticker ticker) {
    return new RocksDbStore(
        directory, 8 << 20, Duration.ofMillis(100), BucketHasher.of("secret"), ticker);
  }

  /** With room for few exactly counted buckets in memory, and for few changes in the journal. */
  static RocksDbStore tight(Path directory, Ticker ticker) {
    return new RocksDbStore(
        directory,
        8 << 20,
        new ExactTableSizes(100, 1 << 16),
        Duration.ofMillis(100),
        DiskSync.SYSTEM,
        BucketHasher.of("secret"),
        ticker);
  }

  static BucketId bucket(Algorithm algorithm, Duration window, String caller) {
    return new BucketId(
        BucketSpec.builder("test").algorithm(algorithm).window(window).build(), Key.of(caller));
  }

  /** The permits granted of those claimed. */
  static long take(RocksDbStore store, BucketId bucket, long permits, long limit) {
    return ask(store, Claim.builder(bucket, limit, limit).needed(permits).atLeast(1).build())
        .permits();
  }

  static long left(RocksDbStore store, BucketId bucket, long limit) {
    return ask(store, Claim.peek(bucket, 1, limit, limit)).left();
  }

  static Grant ask(RocksDbStore store, Claim claim) {
    return store
        .execute(List.of(claim))
        .toCompletableFuture()
        .orTimeout(120, SECONDS)
        .join()
        .get(0)
        .orElseThrow();
  }
}
