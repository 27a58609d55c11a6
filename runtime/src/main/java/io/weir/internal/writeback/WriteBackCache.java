package io.weir.internal.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.LocalBucketView;
import io.weir.internal.permits.PermitSource;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.permits.StoreListener;
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
import org.jspecify.annotations.Nullable;

/**
 * A write-back cache of leases over a store that several nodes share.
 *
 * <p><b>How this works.</b> The simplest idea is to count here and to tell the store now and then;
 * its flaw is that each node admits what the others have admitted too. So this is a cache of
 * permits, not of counts: a node takes permits from the store before it admits with them, and what
 * all nodes admit is never more than what the store has granted. A lease ends with the slot of time
 * that its permits are charged to, reckoned from before the claim was sent; so no permit is spent
 * later than it is counted, however late its grant came. What isn't used goes back within two
 * flushes, and only to that slot.
 *
 * <p>A request is answered from the lease, or refused by what the store said a moment ago, without
 * a lock; or else it waits for the store, together with all who ask at the same time.
 *
 * <p>Starts no thread of its own: it works on the threads that ask, on those of the scheduler and
 * on those that complete the store's answers. On one thread with one scheduler it is deterministic.
 *
 * <p>Safe for concurrent use.
 */
public final class WriteBackCache implements PermitSource {
  private static final int FEW = 1_000;

  private final WriteBackSettings settings;
  private final CacheContext node;
  private final BucketCache entries;
  private final Channels lanes;
  private final Flusher flusher;
  private final Heartbeat heartbeat;
  private final Acquirer taker;
  private final AllOrNothing together;
  private final Shutdown ending;
  private final AtomicBoolean started = new AtomicBoolean();

  /**
   * Makes an empty cache. Nothing is scheduled before it {@linkplain #begin begins} or is used for
   * the first time.
   *
   * @param store where permits come from; closed with this
   * @param settings sizes and times
   * @param ticker the source of time
   * @param scheduler runs flushes, heartbeats and time-outs; not closed with this
   * @param events is told about settles and failures
   */
  public WriteBackCache(
      LeasingStore store,
      WriteBackSettings settings,
      Ticker ticker,
      ScheduledExecutorService scheduler,
      StoreListener events) {
    this.settings = settings;
    NodeClock clock = new NodeClock(ticker);
    SafeScheduler timers = new SafeScheduler(scheduler, new SafeStoreListener(events));
    OvershootShares shares = new OvershootShares();
    node = node(clock, shares, settings, store.minLifeMicros());
    entries = new BucketCache(settings.maxBuckets(), node);
    DataLossRecovery recount = new DataLossRecovery(store, entries, clock, shares);
    lanes = new Channels(store, node, timers, recount);
    flusher = new Flusher(node, entries, lanes, recount, timers);
    heartbeat = new Heartbeat(store, settings.node(), clock, timers, shares);
    taker = new Acquirer(entries, lanes, node);
    together = new AllOrNothing(entries);
    ending = new Shutdown(store, settings, entries, lanes, flusher, heartbeat);
  }

  private static CacheContext node(
      NodeClock clock, OvershootShares shares, WriteBackSettings settings, long minLife) {
    return new CacheContext(
        clock,
        new LeaseHorizon(settings.flushInterval().toNanos() / 1_000, minLife),
        settings.storeTimeout().toNanos() / 1_000,
        new OvershootAllowance(shares, settings.maxBuckets()),
        new FlushQueue(4 * settings.maxBuckets() + FEW),
        new EvictedBacklog(settings.maxBuckets()),
        new RecentBuckets(settings.maxBuckets()));
  }

  private void start() {
    if (!started.get() && started.compareAndSet(false, true)) {
      flusher.start();
      heartbeat.start();
    }
  }

  /**
   * Begins at once what else begins with the first use: flushes and heartbeats, and asks which data
   * there is. Doesn't wait for any of it.
   *
   * @param buckets one or more of each part of the store; none of them is used
   * @return completed when the store has told how many nodes live and which data each of these
   *     parts has; not before, however often it fails meanwhile
   */
  public CompletionStage<?> begin(Collection<BucketId> buckets) {
    start();
    List<CompletableFuture<Void>> all = new ArrayList<>(List.of(heartbeat.heard()));
    buckets.forEach(each -> all.add(lanes.meet(each)));
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  /**
   * Whether the store has told how many nodes live.
   *
   * @return false if that is still what the settings say
   */
  public boolean knowsNodes() {
    return heartbeat.heard().isDone();
  }

  @Override
  public @Nullable Decision decideNow(RequestTerms requestTerms, Key key) {
    if (ending.hasBegun()) {
      return null;
    }
    long now = node.clock().micros();
    ActiveBucket entry = entries.find(requestTerms.policy().spec(), key);
    return entry == null ? null : entry.decide(requestTerms, key, now);
  }

  @Override
  public @Nullable List<Decision> decideNow(List<RequestTerms> requestTerms, List<Key> keys) {
    return ending.hasBegun() ? null : together.decide(requestTerms, keys, node.clock().micros());
  }

  private Optional<Grant> takeNow(BucketRequest wish) {
    if (wish.peek()) {
      return Optional.empty();
    }
    long now = node.clock().micros();
    ActiveBucket entry = entries.of(wish);
    Grant known = entry.spend(wish, now);
    if (known == null) {
      known = entry.refuse(wish, now);
      if (known != null) {
        entry.note(wish);
      }
    }
    return Optional.ofNullable(known);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> take(List<BucketRequest> wishes) {
    if (ending.hasBegun()) {
      return CompletableFuture.failedStage(Shutdown.closed());
    }
    start();
    Optional<Grant> known = wishes.size() == 1 ? takeNow(wishes.get(0)) : Optional.empty();
    if (known.isPresent()) {
      return CompletableFuture.completedFuture(List.of(known));
    }
    return taker.take(wishes, node.clock().micros());
  }

  /**
   * Puts permits back into their lease, or lets the next exchange take them to the store.
   *
   * @param wish see {@link PermitSource#giveBack}
   * @param stamp the grant's stamp
   * @param permits how many, 1 and more
   * @return a completed stage; completed exceptionally once this is closed, since they are lost
   *     then
   */
  @Override
  public CompletionStage<?> giveBack(BucketRequest wish, long stamp, long permits) {
    if (ending.hasBegun()) {
      return CompletableFuture.failedStage(Shutdown.closed());
    }
    start();
    long now = node.clock().micros();
    boolean done = false;
    while (!done) { // more than once only if the entry is evicted in between
      done = entries.of(wish).putBack(stamp, permits, now);
    }
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Spends permits of the lease, or notes them as a debt that the next flush tells.
   *
   * @param debt how many, of which bucket
   * @return completed when the store has charged it; exceptionally when it may not have, though it
   *     is told again as long as it counts
   */
  @Override
  public CompletionStage<?> charge(BucketRequest debt) {
    if (ending.hasBegun()) {
      return CompletableFuture.failedStage(Shutdown.closed());
    }
    start();
    long now = node.clock().micros();
    if (entries.of(debt).take(debt, now) != null) {
      return CompletableFuture.completedFuture(null);
    }
    CompletionStage<Void> charged = note(debt, now);
    boolean open = lanes.of(debt.bucket()).open();
    return open ? charged : CompletableFuture.failedStage(new IllegalStateException("store away"));
  }

  @Override
  public void owe(BucketRequest debt) {
    if (!ending.hasBegun()) {
      start();
      long now = node.clock().micros();
      boolean noted = false;
      while (!noted) { // more than once only if the entry is evicted in between
        noted = entries.of(debt).owe(debt, now);
      }
    }
  }

  private CompletionStage<Void> note(BucketRequest debt, long now) {
    CompletionStage<Void> charged = null;
    while (charged == null) { // more than once only if the entry is evicted in between
      charged = entries.of(debt).charge(debt, now);
    }
    return charged;
  }

  @Override
  public void cancelDebt(BucketRequest debt) {
    entries.of(debt).forgive(debt.permits());
  }

  @Override
  public LocalBucketView localView(BucketRequest wish, long share) {
    return ending.hasBegun()
        ? LocalBucketView.NOTHING
        : entries.of(wish).view(wish, share, nodes(), node.clock().micros());
  }

  @Override
  public int nodes() {
    return heartbeat.nodes(settings.nodes());
  }

  /**
   * How many buckets are cached.
   *
   * @return an estimate
   */
  @Override
  public long size() {
    return entries.size();
  }

  /**
   * How many buckets the next flush will look at: those in use and those that hold or owe permits.
   *
   * @return an estimate
   */
  public long busy() {
    return node.busy().size();
  }

  /**
   * How many buckets the flushes have looked at so far.
   *
   * @return a count that only rises
   */
  public long visited() {
    return flusher.visited();
  }

  /**
   * Ends the leases, gives all permits back and tells all debts, without waiting for it. From now
   * on nothing is taken any more.
   *
   * @return completed when the store has answered, or hasn't in time
   */
  public CompletionStage<?> drain() {
    return ending.drain();
  }

  /**
   * Drains, which takes at most twice the store time-out; says that this node is gone; closes the
   * store.
   */
  @Override
  public void close() {
    ending.close();
  }
}
