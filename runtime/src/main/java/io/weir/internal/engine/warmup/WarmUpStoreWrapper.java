package io.weir.internal.engine.warmup;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
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
 * Wraps the real store for a warm-up: registers no node, isn't closed, and has an additional
 * partition that can't be reached.
 *
 * <p>Safe for concurrent use.
 */
public final class WarmUpStoreWrapper implements LeasingStore {
  public static final int NODES = 2;

  /** The name of the policy whose buckets are in the partition that can't be reached. */
  static final String AWAY = "weir.warm-up.away";

  private static final int AWAY_PARTITION = Integer.MAX_VALUE;

  private final LeasingStore store;

  WarmUpStoreWrapper(LeasingStore store) {
    this.store = store;
  }

  @Override
  public int partition(BucketId bucket) {
    return bucket.spec().name().equals(AWAY) ? AWAY_PARTITION : store.partition(bucket);
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    return partition == AWAY_PARTITION
        ? CompletableFuture.completedFuture(Epoch.NONE)
        : store.epoch(partition, known);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    return partition == AWAY_PARTITION
        ? unanswered(claims)
        : store.execute(partition, epoch, claims);
  }

  // No answer rather than a failure, which would open a breaker.
  private static CompletionStage<List<Optional<Grant>>> unanswered(List<Claim> claims) {
    return CompletableFuture.completedFuture(Collections.nCopies(claims.size(), Optional.empty()));
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return store.execute(claims);
  }

  @Override
  public boolean hasPartition(int partition) {
    return partition == AWAY_PARTITION || store.hasPartition(partition);
  }

  @Override
  public long silentMicros(int partition) {
    return partition == AWAY_PARTITION ? -1 : store.silentMicros(partition);
  }

  @Override
  public long minLifeMicros() {
    return store.minLifeMicros();
  }

  @Override
  public boolean grantsFarLeases() {
    return store.grantsFarLeases();
  }

  @Override
  public Set<Algorithm> algorithms() {
    return store.algorithms();
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return store.counts(spec);
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    return CompletableFuture.completedFuture(new Membership(NODES, Membership.WHOLE / NODES));
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
    // The real limiter closes it.
  }
}
