package io.weir.internal.writeback;

import io.weir.internal.clock.NodeClock;
import io.weir.internal.writeback.channel.AfterUnlock;
import io.weir.internal.writeback.channel.ClaimSource;
import io.weir.internal.writeback.channel.DataLossListener;
import io.weir.internal.writeback.channel.PartitionChannels;
import io.weir.internal.writeback.channel.SafeStoreListener;
import io.weir.internal.writeback.channel.SentBatch;
import io.weir.internal.writeback.channel.SentClaim;
import io.weir.internal.writeback.debt.OvershootShareHistory;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports to a partition that has lost its data what it had charged to this node: first for active
 * buckets, by their next claim; then for those at rest, without activating them. Periods aren't
 * reported: their use is known from elsewhere and part of each claim, so it would count twice.
 *
 * <p>Safe for concurrent use.
 */
final class DataLossRecovery implements DataLossListener {
  private final LeasingStore store;
  private final BucketCache buckets;
  private final NodeClock clock;
  private final OvershootShareHistory shares;
  private final SafeStoreListener listener;
  private final Queue<RestingClaim> unsent = new ConcurrentLinkedQueue<>();

  /** By partition. */
  private final Map<Integer, Integer> losses = new ConcurrentHashMap<>();

  DataLossRecovery(
      LeasingStore store,
      BucketCache buckets,
      NodeClock clock,
      OvershootShareHistory shares,
      SafeStoreListener listener) {
    this.store = store;
    this.buckets = buckets;
    this.clock = clock;
    this.shares = shares;
    this.listener = listener;
  }

  /** Sums up all partitions. */
  long losses() {
    return losses.values().stream().mapToLong(Integer::longValue).sum();
  }

  @Override
  public void dataLost(int partition, Consumer<ClaimSource> queue) {
    long now = clock.micros();
    shares.forget(now); // the store has lost these as well
    int loss = losses.merge(partition, 1, Integer::sum);
    unsent.removeIf(RestingClaim::isOutdated);
    Report report = new Report(partition, loss, now, queue);
    buckets.forEach((bucket, cached) -> report.add(bucket, cached, true));
    buckets.forEach((bucket, cached) -> report.add(bucket, cached, false));
  }

  /** The report of one loss. */
  private final class Report {
    private final int partition;
    private final int loss;
    private final long now;
    private final Consumer<ClaimSource> queue;

    Report(int partition, int loss, long now, Consumer<ClaimSource> queue) {
      this.partition = partition;
      this.loss = loss;
      this.now = now;
      this.queue = queue;
    }

    /** Adds a bucket if it is of the partition, and is active or at rest as asked for. */
    void add(BucketId bucket, CachedBucket cached, boolean active) {
      try {
        if (cached.active() != null == active && store.partition(bucket) == partition) {
          add(bucket, cached);
        }
      } catch (RuntimeException | Error mistake) { // of one bucket, not of all
        listener.failed(mistake);
      }
    }

    private void add(BucketId bucket, CachedBucket cached) {
      if (bucket.spec().isOfPeriod()) {
        cached.forgetHeld();
        return;
      }
      ActiveBucket active = cached.noteDataLoss(now);
      while (active != null && !active.reportLostCharges(now)) { // only if it rests in between
        active = cached.noteDataLoss(now);
      }
      if (active == null && cached.hasLostCharges()) {
        queue.accept(new RestingClaim(bucket, cached, partition, loss));
      } else if (active != null && active.queueReport()) {
        queue.accept(active);
      }
    }
  }

  /** Queues again the claims that couldn't be sent. */
  void retry(PartitionChannels channels) {
    for (int i = unsent.size(); i > 0; i--) {
      RestingClaim claim = unsent.poll();
      if (claim != null) {
        channels.of(claim.bucket()).enqueue(claim);
      }
    }
  }

  /**
   * Reports what the store had charged for a resting bucket. Sent until it is answered, unless the
   * bucket becomes active and reports it itself.
   */
  private final class RestingClaim implements ClaimSource, SentClaim {
    private final BucketId bucket;
    private final CachedBucket cached;
    private final int partition;
    private final int loss;
    private volatile long permits;

    RestingClaim(BucketId bucket, CachedBucket cached, int partition, int loss) {
      this.bucket = bucket;
      this.cached = cached;
      this.partition = partition;
      this.loss = loss;
    }

    /** Returns whether the data was lost once more, so that everything is reported anew. */
    boolean isOutdated() {
      return losses.getOrDefault(partition, 0) != loss;
    }

    BucketId bucket() {
      return bucket;
    }

    @Override
    public @Nullable SentClaim nextClaim(long now, AfterUnlock after) {
      return nextDebtClaim(now, after);
    }

    @Override
    public @Nullable SentClaim nextDebtClaim(long now, AfterUnlock after) {
      permits = cached.takeLostCharges(now);
      return permits == 0 ? null : this;
    }

    @Override
    public void storeUnavailable(AfterUnlock after) {
      unsent.add(this);
    }

    @Override
    public Claim claim() {
      BucketLimits limits = buckets.limits(bucket.spec());
      long debt = Math.min(permits, limits.burst());
      return Claim.builder(bucket, limits.effectiveLimit(), limits.burst())
          .debt(debt)
          .lostDebt(debt)
          .build();
    }

    @Override
    public @Nullable ClaimSource answered(
        Grant grant, SentBatch batch, boolean late, AfterUnlock after) {
      return late || batch.isDataCurrent() ? null : unanswered(batch, after);
    }

    @Override
    public @Nullable ClaimSource namedOtherWindow(
        SentBatch batch, boolean late, AfterUnlock after) {
      return late ? null : unanswered(batch, after);
    }

    @Override
    public @Nullable ClaimSource unanswered(SentBatch batch, AfterUnlock after) {
      // A batch that is filled while the node learns of the loss names the lost data, so it doesn't
      // matter to which data it was sent.
      if (!isOutdated() && cached.restoreLostCharges(batch.sentAt())) {
        unsent.add(this);
      }
      return null;
    }
  }
}
