package io.weir.internal.rocksdb;

import io.weir.Ticker;
import io.weir.internal.store.BucketNames;
import io.weir.internal.store.ScannedBuckets;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketPage;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.ExactBuckets;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import io.weir.store.ScannableStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps buckets in a directory that only this process uses. A killed process loses nothing that it
 * admitted; a power cut may lose the writes since the last sync.
 *
 * <p>Permits are leased, as from any store that isn't in memory, so requests of busy callers need
 * no read or write. When a process is killed, permits that were leased and not spent are missing to
 * callers until the bucket refills.
 *
 * <p>Safe for concurrent use.
 */
final class RocksDbStore implements LeasingStore, ScannableStore {
  static final long MIN_LIFE_MICROS = 5_000;

  private final Path directory;
  private final ClaimExecutor writer;
  private final AtomicReference<Optional<String>> mark = new AtomicReference<>(Optional.empty());

  /**
   * Opens a directory.
   *
   * @param directory made if it doesn't exist
   * @throws RuntimeException if it can't be opened; the message says why and what to do
   */
  RocksDbStore(Path directory, long cacheBytes, Duration sync, BucketHasher names, Ticker ticker) {
    this(directory, cacheBytes, ExactTableSizes.USUAL, sync, DiskSync.SYSTEM, names, ticker);
  }

  /** Opens a directory with sizes and a disk of a test's choice. */
  RocksDbStore(
      Path directory,
      long cacheBytes,
      ExactTableSizes sizes,
      Duration sync,
      DiskSync disk,
      BucketHasher names,
      Ticker ticker) {
    this.directory = directory;
    this.writer =
        new ClaimExecutor(
            directory,
            cacheBytes,
            sizes,
            sync,
            disk,
            BucketArithmetic.leasing(MIN_LIFE_MICROS),
            names,
            ticker);
  }

  /** Syncs all grants to the disk, ahead of time. */
  void sync() {
    writer.sync();
  }

  boolean isSynced() {
    return writer.isSynced();
  }

  @Override
  public String describe() {
    return "RocksDB in " + directory;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return writer.execute(claims);
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return true;
  }

  @Override
  public long minLifeMicros() {
    return MIN_LIFE_MICROS;
  }

  @Override
  public boolean grantsFarLeases() {
    return true;
  }

  @Override
  public int partition(BucketId bucket) {
    return 0;
  }

  /** In memory: no other process has this store, so none can be taken for its region's. */
  @Override
  public CompletionStage<Optional<String>> mark(Optional<String> own) {
    return CompletableFuture.completedFuture(
        mark.updateAndGet(kept -> kept.isPresent() ? kept : own));
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    return CompletableFuture.completedFuture(new Membership(1, Membership.WHOLE));
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    return writer.forget(bucket);
  }

  @Override
  public Optional<ExactBuckets> exactBuckets() {
    return Optional.of(writer);
  }

  @Override
  public CompletionStage<BucketPage> scan(BucketSpec spec, long limit, String after, int most) {
    ScannedBuckets.requireMost(most);
    return writer.scan(new BucketPageReader(spec, limit, BucketNames.position(after), most));
  }

  @Override
  public long size() {
    return writer.size();
  }

  @Override
  public void close() {
    writer.close();
  }
}
