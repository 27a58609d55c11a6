package io.weir.testkit.store;

import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * A store in memory with the arithmetic and the registry of a shared one, which answers at once. It
 * keeps buckets as bytes, as a store outside of the process does.
 *
 * <p>It forgets a bucket as soon as that equals a fresh one. Closing it forgets nothing, since it
 * outlives the nodes that share it.
 *
 * <p>Confine to one thread.
 */
public final class SimulatedStore implements LeasingStore {
  /** The default minimum life of grants: 5 ms. */
  public static final long MIN_LIFE_MICROS = 5_000;

  private final LongSupplier clock;
  private final GrantFault fault;
  private final int partitions;
  private final BucketArithmetic arithmetic = BucketArithmetic.leasing(MIN_LIFE_MICROS);
  private final Map<BucketId, Row> rows = new HashMap<>();
  private final Members members = new Members();
  private final SimulatedEpochs epochs;
  private Optional<String> mark = Optional.empty();
  private long exchanges;

  /**
   * Makes an empty store of one partition.
   *
   * @param clock microseconds since the epoch
   */
  public SimulatedStore(LongSupplier clock) {
    this(clock, GrantFault.none(), 1);
  }

  /**
   * Makes an empty store.
   *
   * @param clock microseconds since the epoch
   * @param fault what it does wrong
   * @param partitions of how many parts it is, 1 and more
   */
  public SimulatedStore(LongSupplier clock, GrantFault fault, int partitions) {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions must be at least 1, not " + partitions);
    }
    this.clock = clock;
    this.fault = fault;
    this.partitions = partitions;
    this.epochs = new SimulatedEpochs(clock);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return CompletableFuture.completedFuture(
        claims.stream().map(claim -> Optional.of(execute(claim))).toList());
  }

  /**
   * Executes one claim.
   *
   * @param claim what is asked
   * @return the answer
   */
  public Grant execute(Claim claim) {
    exchanges++;
    long now = clock.getAsLong();
    Row row = rows.get(claim.bucket().inStore());
    byte[] before = row == null || row.expiresAt() <= now ? null : row.bytes();
    BucketUpdate update = arithmetic.execute(before, claim, now);
    byte[] after = update.bytes();
    if (after == null) {
      rows.remove(claim.bucket().inStore());
    } else if (update.isChanged()) {
      rows.put(claim.bucket().inStore(), new Row(after, update.expiresAt()));
    }
    return fault.spoil(claim, update.grant());
  }

  /**
   * Returns the number of claims executed.
   *
   * @return 0 and more
   */
  public long exchanges() {
    return exchanges;
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return true;
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    return CompletableFuture.completedFuture(epochs.of(partition, known));
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    return isOf(partition, epoch)
        ? execute(claims)
        : CompletableFuture.failedStage(new DataLossException());
  }

  /**
   * Returns whether a partition has the data of an epoch.
   *
   * @param partition the partition
   * @param epoch the epoch
   * @return false if that is gone
   */
  public boolean isOf(int partition, Epoch epoch) {
    return epochs.has(partition, epoch);
  }

  /** Forgets everything, as a server does that restarts empty. */
  public void wipe() {
    for (int partition = 0; partition < partitions; partition++) {
      wipe(partition);
    }
  }

  /**
   * Forgets what one partition had; the first one also the nodes that are alive.
   *
   * @param partition the partition
   */
  public void wipe(int partition) {
    rows.keySet().removeIf(bucket -> partition(bucket) == partition);
    epochs.forget(partition);
    if (partition == 0) {
      members.forget();
      mark = Optional.empty();
    }
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
    return partition(bucket, partitions);
  }

  /**
   * Returns the partition of a bucket in a store of so many.
   *
   * @param bucket the bucket
   * @param partitions how many
   * @return 0 and more
   */
  public static int partition(BucketId bucket, int partitions) {
    return Math.floorMod(bucket.hashCode(), partitions);
  }

  @Override
  public CompletionStage<Optional<String>> mark(Optional<String> own) {
    mark = mark.isPresent() ? mark : own;
    return CompletableFuture.completedFuture(mark);
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    return CompletableFuture.completedFuture(members.heartbeat(node, clock.getAsLong()));
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    rows.remove(bucket.inStore());
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<?> leave(String node) {
    members.leave(node);
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(byte[] bytes, long expiresAt) {}
}
