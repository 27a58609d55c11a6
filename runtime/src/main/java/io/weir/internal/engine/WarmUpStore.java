package io.weir.internal.engine;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
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
final class WarmUpStore implements LeasingStore {
  /** The name of the policy whose buckets live in the part that is away. */
  static final String AWAY = "weir.warm-up.away";

  private static final int AWAY_LANE = Integer.MAX_VALUE;

  private final LeasingStore store;

  WarmUpStore(LeasingStore store) {
    this.store = store;
  }

  @Override
  public int partition(BucketId bucket) {
    return bucket.spec().name().equals(AWAY) ? AWAY_LANE : store.partition(bucket);
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    return partition == AWAY_LANE
        ? CompletableFuture.completedFuture(Epoch.NONE)
        : store.epoch(partition, known);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    return partition == AWAY_LANE ? unanswered(claims) : store.execute(partition, epoch, claims);
  }

  // Not one that fails, which would open a breaker.
  private static CompletionStage<List<Optional<Grant>>> unanswered(List<Claim> claims) {
    return CompletableFuture.completedFuture(Collections.nCopies(claims.size(), Optional.empty()));
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return store.execute(claims);
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
