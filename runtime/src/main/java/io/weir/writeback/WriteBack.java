package io.weir.writeback;

import io.weir.Ticker;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.PermitSource;
import io.weir.store.Wish;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;

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
public final class WriteBack implements PermitSource {
  private final LeasingStore store;
  private final WriteBackSettings settings;
  private final Node node;
  private final Entries entries;
  private final Lanes lanes;
  private final Flusher flusher;

  /**
   * Makes an empty cache. Nothing is scheduled before it is used for the first time.
   *
   * @param store where permits come from; closed with this
   * @param settings sizes and times
   * @param ticker the source of time
   * @param scheduler runs flushes, heartbeats and time-outs; not closed with this
   * @param events is told about settles and failures
   */
  public WriteBack(
      LeasingStore store,
      WriteBackSettings settings,
      Ticker ticker,
      ScheduledExecutorService scheduler,
      WriteBackEvents events) {
    this.store = store;
    this.settings = settings;
    long flush = settings.flushInterval().toNanos() / 1_000;
    long timeout = settings.storeTimeout().toNanos() / 1_000;
    Pace pace = new Pace(flush, store.minLifeMicros());
    Timers timers = new Timers(scheduler, new Reports(events));
    this.node = new Node(new NodeClock(ticker), pace, timeout, new Busy());
    this.entries = new Entries(settings.maxBuckets(), node);
    this.lanes = new Lanes(store, node, ticker, timers);
    this.flusher = new Flusher(node, lanes, timers);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> take(List<Wish> wishes) {
    flusher.start();
    long now = node.clock().micros();
    if (wishes.size() == 1 && !wishes.get(0).looks()) {
      Wish wish = wishes.get(0);
      Entry entry = entries.of(wish);
      entry.note(wish);
      Grant known = entry.spend(wish, now);
      known = known != null ? known : entry.refuse(wish, now);
      if (known != null) {
        return CompletableFuture.completedFuture(List.of(Optional.of(known)));
      }
    }
    return takeTogether(wishes, now);
  }

  private CompletionStage<List<Optional<Grant>>> takeTogether(List<Wish> wishes, long now) {
    Taking taking = new Taking(wishes);
    Afterwards after = new Afterwards();
    for (int i = 0; i < wishes.size(); i++) {
      ask(new Waiter(taking, i, now), now, after);
    }
    lanes.pump();
    after.run();
    return taking.result();
  }

  private void ask(Waiter waiter, long now, Afterwards after) {
    Entry entry = entries.of(waiter.wish());
    Lane lane = lanes.of(entry.bucket());
    if (!lane.open()) {
      after.answer(waiter, Optional.empty());
      return;
    }
    while (!entry.enter(waiter, now, after)) {
      entry = entries.of(waiter.wish());
    }
    if (entry.wantsToAsk()) {
      lane.offer(entry);
    }
  }

  @Override
  public CompletionStage<?> giveBack(Wish wish, long stamp, long permits) {
    long now = node.clock().micros();
    while (!entries.of(wish).putBack(stamp, permits, now)) {
      Thread.onSpinWait(); // evicted in between; the next one is another
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<?> charge(Wish debt) {
    owe(debt);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void owe(Wish debt) {
    long now = node.clock().micros();
    long window = debt.bucket().shape().windowMicros();
    while (!entries.of(debt).owe(debt, NodeClock.after(now, window))) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void forgive(Wish debt) {
    entries.of(debt).forgive(debt.permits());
  }

  @Override
  public int nodes() {
    return settings.nodes();
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

  @Override
  public void close() {
    flusher.close();
    store.close();
  }
}
