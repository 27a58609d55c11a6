package io.weir.testkit.store;

import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import io.weir.store.OtherEpochException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * A store in memory with the arithmetic and the registry of a shared one, which answers at once.
 *
 * <p>It forgets a bucket as soon as that equals a fresh one. Closing it forgets nothing, since it
 * outlives the nodes that share it.
 *
 * <p>Confine to one thread.
 */
public final class SimulatedStore implements LeasingStore {
  /** The life that grants have at least, unless told otherwise: 5 ms. */
  public static final long MIN_LIFE_MICROS = 5_000;

  private final LongSupplier clock;
  private final StoreArithmetic arithmetic;
  private final int lanes;
  private final Map<Bucket, StoreArithmetic.State> states = new HashMap<>();
  private final Members members = new Members();
  private final Epochs epochs;
  private long exchanges;

  /**
   * Makes an empty store of one lane.
   *
   * @param clock microseconds since the epoch
   */
  public SimulatedStore(LongSupplier clock) {
    this(clock, StoreArithmetic.exact(), 1);
  }

  /**
   * Makes an empty store.
   *
   * @param clock microseconds since the epoch
   * @param arithmetic what it counts by
   * @param lanes of how many parts it is, 1 and more
   */
  public SimulatedStore(LongSupplier clock, StoreArithmetic arithmetic, int lanes) {
    if (lanes < 1) {
      throw new IllegalArgumentException("lanes must be at least 1, not " + lanes);
    }
    this.clock = clock;
    this.arithmetic = arithmetic;
    this.lanes = lanes;
    this.epochs = new Epochs(clock);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> settle(List<Claim> claims) {
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
    StoreArithmetic.State state = states.get(claim.bucket());
    if (state == null || state.freshAt() <= now) {
      state = arithmetic.fresh(claim.bucket().shape(), minLifeMicros());
      states.put(claim.bucket(), state);
    }
    return state.step(claim, now);
  }

  /**
   * How many claims have been executed.
   *
   * @return 0 and more
   */
  public long exchanges() {
    return exchanges;
  }

  @Override
  public CompletionStage<Epoch> epoch(int lane, Epoch known) {
    return CompletableFuture.completedFuture(epochs.of(lane, known));
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> settle(int lane, Epoch epoch, List<Claim> claims) {
    return isOf(lane, epoch)
        ? settle(claims)
        : CompletableFuture.failedStage(new OtherEpochException());
  }

  /**
   * Whether a lane has the data of an epoch.
   *
   * @param lane the lane
   * @param epoch the epoch
   * @return false if that is gone
   */
  public boolean isOf(int lane, Epoch epoch) {
    return epochs.has(lane, epoch);
  }

  /** Forgets everything, as a server does that restarts empty. */
  public void wipe() {
    for (int lane = 0; lane < lanes; lane++) {
      wipe(lane);
    }
  }

  /**
   * Forgets what one lane had; the first one also who lives.
   *
   * @param lane the lane
   */
  public void wipe(int lane) {
    states.keySet().removeIf(bucket -> lane(bucket) == lane);
    epochs.forget(lane);
    if (lane == 0) {
      members.forget();
    }
  }

  @Override
  public long minLifeMicros() {
    return MIN_LIFE_MICROS;
  }

  @Override
  public int lane(Bucket bucket) {
    return lane(bucket, lanes);
  }

  /**
   * The lane of a bucket in a store of so many.
   *
   * @param bucket the bucket
   * @param lanes how many
   * @return 0 and more
   */
  public static int lane(Bucket bucket, int lanes) {
    return Math.floorMod(bucket.hashCode(), lanes);
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    return CompletableFuture.completedFuture(members.heartbeat(node, clock.getAsLong()));
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
}
