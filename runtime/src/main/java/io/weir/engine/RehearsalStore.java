package io.weir.engine;

import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The store of a rehearsal: the real one, but that it never hears of this node and isn't closed. It
 * has one part more, which can't be asked for anything.
 *
 * <p>Safe for concurrent use.
 */
final class RehearsalStore implements LeasingStore {
  /** The name of the policy whose buckets live in the part that is away. */
  static final String AWAY = "weir.warm-up.away";

  private static final int AWAY_LANE = Integer.MAX_VALUE;

  private final LeasingStore store;

  RehearsalStore(LeasingStore store) {
    this.store = store;
  }

  @Override
  public int lane(Bucket bucket) {
    return bucket.shape().name().equals(AWAY) ? AWAY_LANE : store.lane(bucket);
  }

  @Override
  public CompletionStage<Epoch> epoch(int lane, Epoch known) {
    return lane == AWAY_LANE
        ? CompletableFuture.completedFuture(Epoch.NONE)
        : store.epoch(lane, known);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> settle(int lane, Epoch epoch, List<Claim> claims) {
    return lane == AWAY_LANE ? unanswered(claims) : store.settle(lane, epoch, claims);
  }

  // Not one that fails, which would open a breaker.
  private static CompletionStage<List<Optional<Grant>>> unanswered(List<Claim> claims) {
    return CompletableFuture.completedFuture(Collections.nCopies(claims.size(), Optional.empty()));
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> settle(List<Claim> claims) {
    return store.settle(claims);
  }

  @Override
  public long minLifeMicros() {
    return store.minLifeMicros();
  }

  @Override
  public Set<Algorithm> algorithms() {
    return store.algorithms();
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    return CompletableFuture.completedFuture(new Membership(2, Membership.WHOLE / 2));
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public long size() {
    return store.size();
  }

  @Override
  public void close() {
    // It is somebody else's.
  }
}
