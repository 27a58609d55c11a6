package io.weir.internal.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.clock.SafeScheduler;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.LocalBucketView;
import io.weir.internal.permits.PermitSource;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.permits.StoreListener;
import io.weir.internal.writeback.channel.PartitionChannel;
import io.weir.internal.writeback.channel.PartitionChannels;
import io.weir.internal.writeback.channel.SafeStoreListener;
import io.weir.internal.writeback.channel.WaitingThread;
import io.weir.internal.writeback.debt.OvershootAllowance;
import io.weir.internal.writeback.debt.OvershootShareHistory;
import io.weir.internal.writeback.lease.LeaseHorizon;
import io.weir.store.BucketId;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Caches leases of permits from a store that several nodes share.
 *
 * <p>Starts no thread: it works on the threads of its callers, of the scheduler, and of the store's
 * answers. With one thread it is deterministic. Safe for concurrent use.
 */
public final class WriteBackCache implements PermitSource {

  /*
   * HOW THIS WORKS. The simplest idea is to count here and to write the counts back now and then;
   * but then each node admits what the others have admitted too. So this caches permits, not counts.
   * Permits that a node takes from the store ahead of requests are a lease. Two rules make it exact:
   * 1. A permit is spent only if the store has granted it before. (Borrowing, with overshoot, and
   *    deciding while the store is away are the exceptions. Both are bounded, and what they admit is
   *    owed: a debt, which the store charges without asking.)
   * 2. A permit is spent only within the slot of time that the store has charged it to. Requests that
   *    a claim was sent for, and no others, spend theirs by the store's decision, however late its
   *    answer. What is left is a lease. It ends with that slot, counted from before its claim was
   *    sent and shortened by clock drift. So no permit is spent later than it is counted.
   *
   * A REQUEST is answered without a lock from the bucket's lease, or by a recent refusal of the
   * store. If neither answers it, it is tried once more under the bucket's lock, and then waits for
   * the store together with all that arrive meanwhile.
   *
   * A BUCKET is
   *   cached   in the Caffeine cache: about 50 bytes of what is still worth knowing. If it keeps a
   *            far lease, that admits requests as it is;
   *   active   from its first claim on: has a lease, waiting requests, debts, and is visited by
   *            each flush. When it holds, owes and expects nothing, it rests: it is cached again;
   *   evicted  when the cache is full: it gives its lease back, and flushes visit it until it has
   *            reported everything to the store; then it is gone. It is sealed before the bucket can
   *            become active again, so that there are never two leases.
   *
   * A CLAIM is one bucket's part of a call to the store. The bucket is queued in the channel of its
   * partition. When its turn comes, it composes one claim of all that has come up: permits that
   * requests wait for, permits for a lease, permits to give back, debts. The channel sends claims of
   * many buckets as one batch. If the time-out passes, it is unknown what was executed. Therefore
   *   - permits wanted are not claimed again for the same requests (if granted, they age out);
   *   - permits given back are never sent twice (counted twice, too many would be admitted);
   *   - debts are sent until answered (charged twice, too many are refused, never too few).
   * An answer after the time-out still counts, since its permits are charged.
   *
   * THE LOCKS. Each active bucket is a monitor: nothing waits under it, no foreign code runs under
   * it (AfterUnlock), and the cache isn't touched under it. A cached bucket's monitor may be taken
   * under that of its active bucket, never the other way round. Channels have no locks.
   *
   * AN EXAMPLE. 6,000 a minute, sliding window (60 slots of 1 s), a flush each 100 ms, a request each
   * 20 ms at this node.
   *     0 ms  The first request waits for a claim of 1 permit, charged to the slot 0 to 1,000 ms, and
   *           spends it when the store executes that.
   *   180 ms  The tenth: a lease is earned. The claim asks for 1 and 37 more, ten flushes' worth of
   *           the rate seen so far. From here on a request is one compare-and-set, no exchange.
   *   800 ms  6 permits are left, less than two flushes' worth: the flush claims 44 more.
   *   999 ms  The lease ends with 40 permits. The next claim gives them back; the store subtracts
   *           them from that slot and charges what it grants to the next one.
   *   later   Requests stop. After ten quiet flushes (one, had the store less than half of the limit
   *           left) the lease is given back, and the bucket rests.
   * Other nodes do the same. All that is admitted was granted to some node: at most 6,000 a minute.
   */

  private static final int EXTRA_FLUSHED = 1_000;

  private final DataLossRecovery recovery;
  private final WriteBackSettings settings;
  private final CacheContext context;
  private final BucketCache buckets;
  private final PartitionChannels channels;
  private final WriteBackFlusher flusher;
  private final Heartbeat heartbeat;
  private final Acquirer acquirer;
  private final AllOrNothingDecider allOrNothing;
  private final CacheShutdown shutdown;
  private final AtomicBoolean started = new AtomicBoolean();

  /**
   * Makes an empty cache. Nothing is scheduled before it {@linkplain #begin begins} or is used for
   * the first time.
   *
   * @param store closed with this
   * @param scheduler runs flushes, heartbeats and time-outs; not closed with this
   */
  public WriteBackCache(
      LeasingStore store,
      WriteBackSettings settings,
      Ticker ticker,
      ScheduledExecutorService scheduler,
      StoreListener events) {
    this.settings = settings;
    NodeClock clock = new NodeClock(ticker);
    SafeStoreListener listener = new SafeStoreListener(events);
    SafeScheduler timers = new SafeScheduler(scheduler, listener::failed);
    OvershootShareHistory shares = new OvershootShareHistory();
    long flushInterval = settings.flushInterval().toNanos() / 1_000;
    ExtendableTimeout timeout =
        new ExtendableTimeout(clock::micros, settings.storeTimeout().toNanos() / 1_000);
    context =
        new CacheContext(
            clock,
            new LeaseHorizon(
                flushInterval,
                store.minLifeMicros(),
                settings.farLeases() && store.grantsFarLeases()),
            timeout,
            new OvershootAllowance(shares, settings.maxBuckets()),
            new FlushQueue<>(4 * settings.maxBuckets() + EXTRA_FLUSHED, FlushableBucket::isGone),
            new EvictedBacklogLimit(settings.maxBuckets()));
    buckets =
        new BucketCache(
            settings.maxBuckets(), context, new BucketLookupTable(settings.maxBuckets()));
    this.recovery = new DataLossRecovery(store, buckets, clock, shares, listener);
    channels =
        new PartitionChannels(
            store,
            partition ->
                new PartitionChannel(
                    partition, store, clock, timeout, flushInterval, timers, listener, recovery));
    flusher = new WriteBackFlusher(context, buckets, channels, recovery, timers, listener);
    heartbeat = new Heartbeat(store, settings.node(), clock, timers, listener, shares);
    acquirer = new Acquirer(buckets, channels, context);
    allOrNothing = new AllOrNothingDecider(buckets);
    shutdown = new CacheShutdown(store, settings, buckets, channels, flusher, heartbeat);
  }

  private void start() {
    if (!started.get() && started.compareAndSet(false, true)) {
      flusher.start();
      heartbeat.start();
    }
  }

  /**
   * Begins at once what would begin with the first use: flushes, heartbeats, and asking for the
   * store's epochs. Doesn't wait for any of it.
   *
   * @param ids one or more buckets of each partition; none of them is used
   * @return completed when the store has said how many nodes are alive and which data each of these
   *     partitions has; not before, however often it fails meanwhile
   */
  public CompletionStage<?> begin(Collection<BucketId> ids) {
    start();
    List<CompletableFuture<Void>> all = new ArrayList<>(List.of(heartbeat.firstAnswer()));
    ids.forEach(each -> all.add(channels.whenKnown(each)));
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  /**
   * Returns whether the store has said how many nodes are alive; until then the setting is used.
   */
  public boolean knowsNodes() {
    return heartbeat.firstAnswer().isDone();
  }

  @Override
  public @Nullable Decision decideNow(RequestTerms terms, Key key) {
    long now = context.now();
    LocalDecider atHand = shutdown.hasBegun() ? null : buckets.find(terms.policy().spec(), key);
    return atHand == null ? null : atHand.decide(terms, key, now);
  }

  @Override
  public @Nullable List<Decision> decideNow(List<RequestTerms> allTerms, List<Key> keys) {
    return shutdown.hasBegun() ? null : allOrNothing.decide(allTerms, keys, context.now());
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> take(List<BucketRequest> requests) {
    if (shutdown.hasBegun()) {
      return CompletableFuture.failedStage(CacheShutdown.closed());
    }
    start();
    return acquirer.acquire(requests, context.now(), null);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> takeBlocking(List<BucketRequest> requests) {
    if (shutdown.hasBegun() || !WaitingThread.mayBegin()) {
      return take(requests);
    }
    start();
    long now = context.now();
    return acquirer.acquire(requests, now, context.newWaitingThread(now));
  }

  /** Refunds permits to their lease, or lets the next exchange give them back to the store. */
  @Override
  public CompletionStage<?> giveBack(BucketRequest request, long stamp, long permits) {
    if (shutdown.hasBegun()) {
      return CompletableFuture.failedStage(CacheShutdown.closed());
    }
    start();
    buckets.refund(request, stamp, permits, context.now());
    return CompletableFuture.completedFuture(null);
  }

  /** Has the next exchange report it to the store. */
  @Override
  public CompletionStage<?> end(
      BucketRequest request, long stamp, long permits, boolean succeeded) {
    if (shutdown.hasBegun()) {
      return CompletableFuture.failedStage(CacheShutdown.closed());
    }
    start();
    ActiveBucket unused =
        buckets.untilDone(request, active -> active.end(stamp, permits, succeeded) ? active : null);
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Spends permits of the lease, or adds a debt. The next flush sends the debt, and later ones send
   * it again as long as it counts, even if this is completed exceptionally.
   */
  @Override
  public CompletionStage<?> charge(BucketRequest debt) {
    if (shutdown.hasBegun()) {
      return CompletableFuture.failedStage(CacheShutdown.closed());
    }
    start();
    long now = context.now();
    if (buckets.activate(debt).spendUncountedUnlessWaiting(debt, now) != null) {
      return CompletableFuture.completedFuture(null);
    }
    CompletionStage<Void> charged =
        buckets.untilDone(debt, active -> active.oweAndConfirm(debt, now));
    boolean open = channels.of(debt.bucket()).open();
    return open ? charged : CompletableFuture.failedStage(new IllegalStateException("store away"));
  }

  @Override
  public void owe(BucketRequest debt) {
    if (!shutdown.hasBegun()) {
      start();
      long now = context.now();
      buckets.untilDone(debt, active -> active.owe(debt, now) ? active : null);
    }
  }

  @Override
  public void cancelDebt(BucketRequest debt) {
    buckets.activate(debt).cancelDebt(debt.permits());
  }

  @Override
  public LocalBucketView localView(BucketRequest request, long share) {
    if (shutdown.hasBegun()) {
      return LocalBucketView.NOTHING;
    }
    // A request that began to wait when its claim was sent is overdue together with it. The claim
    // is ended first: only then is it known here what is in doubt.
    channels.of(request.bucket()).endOverdue();
    return buckets.activate(request).localView(request, share, parts(), context.now());
  }

  @Override
  public long silentMicros(BucketRequest request) {
    return channels.of(request.bucket()).silentMicros();
  }

  @Override
  public void letGo(Predicate<BucketId> which) {
    if (!shutdown.hasBegun()) {
      buckets.evict(which);
    }
  }

  @Override
  public void letGoAfterReset(BucketId bucket) {
    if (!shutdown.hasBegun()) {
      buckets.evictAfterReset(bucket);
    }
  }

  @Override
  public long dataLosses() {
    return recovery.losses();
  }

  @Override
  public int nodes() {
    return heartbeat.nodes(settings.nodes());
  }

  @Override
  public int parts() {
    return heartbeat.parts(settings.nodes());
  }

  @Override
  public long size() {
    return buckets.size();
  }

  /** Returns the number of active buckets, which the next flush will visit; an estimate. */
  public long busy() {
    return context.flushQueue().size();
  }

  public long visited() {
    return flusher.visited();
  }

  /**
   * Ends the leases, gives back all permits and sends all debts, without waiting for it. Nothing is
   * taken any more. Completed when the store has answered, or the time-out has passed.
   */
  public CompletionStage<?> drain() {
    return shutdown.drain();
  }

  /**
   * Drains, which takes at most twice the store time-out; notifies the store that this node is
   * leaving; closes the store.
   */
  @Override
  public void close() {
    shutdown.close();
  }
}
