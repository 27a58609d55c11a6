package io.weir.testkit.store;

import io.weir.store.Bucket;
import io.weir.store.Claim;
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

  /** Forgets all buckets, as a server does that restarts empty. */
  public void wipe() {
    states.clear();
  }

  @Override
  public long minLifeMicros() {
    return MIN_LIFE_MICROS;
  }

  @Override
  public int lane(Bucket bucket) {
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
