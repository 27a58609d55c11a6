package io.weir.internal.writeback;

import io.weir.store.Claim;
import io.weir.store.LeasingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The way to one part of the store: a queue of those that want to ask, and at most {@value
 * #IN_FLIGHT} settles under way.
 *
 * <p>Claims that come while settles are under way share the next one, so the busier the store, the
 * more each call carries. A settle leaves beside another only if it carries as much: a crowd that
 * waits isn't split into ever smaller parts, each of which costs a call and two wake-ups. But none
 * is kept back for longer than a round trip takes: the other may be stalled. Claims are made when
 * they are sent, of all that has come until then.
 *
 * <p>While the breaker is open nobody waits: who comes is told that the store can't be asked, and
 * only probes go out. But a store that answers late isn't away: each answer, however late, lets the
 * debts of the nodes go out once more, so that all count what is admitted meanwhile.
 *
 * <p>Safe for concurrent use. One thread at a time sends; others leave their claims to it.
 */
final class Channel implements EpochTracker.Owner {
  private static final int IN_FLIGHT = 2;
  private static final int MOST_CLAIMS = 512;

  private final LeasingStore store;
  private final CacheContext node;
  private final EpochTracker era;
  private final DataLossRecovery recount;
  private final PartitionBreaker breaker;
  private final SafeScheduler timers;
  private final ClaimQueue queue = new ClaimQueue();
  private final AtomicInteger flying = new AtomicInteger();
  private final AtomicInteger work = new AtomicInteger();
  private final AtomicBoolean probing = new AtomicBoolean();
  private final AtomicBoolean waking = new AtomicBoolean();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Queue<AfterUnlock> later = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Thread sender;
  private volatile boolean listens;
  private volatile int carried;
  private volatile long sentAt;
  private volatile boolean ends;

  Channel(
      int number,
      LeasingStore store,
      CacheContext node,
      PartitionBreaker breaker,
      SafeScheduler timers,
      DataLossRecovery recount) {
    this.store = store;
    this.node = node;
    this.era = new EpochTracker(number, store, node, timers, this);
    this.recount = recount;
    this.breaker = breaker;
    this.timers = timers;
  }

  /** Whether the store is worth asking for permits. */
  boolean open() {
    return breaker.closed() && !era.waits();
  }

  EpochTracker era() {
    return era;
  }

  /** Asks which data there is, so that this node hears of a loss even if it settles nothing. */
  void watch() {
    if (breaker.closed()) {
      era.watch();
    }
  }

  /** Queues someone who wants to ask; sent by the next {@link #pump}. */
  void requestTerms(ClaimSource asker) {
    queue.add(asker);
  }

  /** Sends what may be sent if it is as much as a settle carries. */
  void pumpIfFull() {
    if (queue.size() >= MOST_CLAIMS) {
      pump();
    }
  }

  /** Sends what may be sent. Returns at once if another thread is at it. */
  void pump() {
    if (work.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    try {
      while (seen != 0) {
        sender = Thread.currentThread();
        sendAll();
        sender = null; // before the lane may be another thread's
        seen = work.addAndGet(-seen);
      }
    } finally {
      if (seen != 0) { // or nobody could ever send again
        sender = null;
        work.set(0);
      }
    }
    for (AfterUnlock next = later.poll(); next != null; next = later.poll()) {
      next.run(); // now that others may send: who goes on in here may take its time
    }
    if (ends && queue.isEmpty() && flying.get() == 0) {
      ended.complete(null);
    }
  }

  private void sendAll() {
    try {
      if (breaker.closed() && !era.isKnown() && !queue.isEmpty()) {
        era.ask(); // first of all; what is queued waits for the answer
      }
      while (!queue.isEmpty() && maySend()) {
        sendSome();
      }
    } catch (RuntimeException | Error mistake) {
      report(mistake); // what is queued waits for the next flush
    }
  }

  private boolean maySend() {
    if (!breaker.closed()) {
      return true; // nowhere: they are told so
    }
    int others = flying.get();
    return era.isKnown()
        && !era.recounts()
        && (others == 0 || others < IN_FLIGHT && (queue.size() >= carried || hasWaited()));
  }

  // The shortest life of a grant is longer than a round trip.
  private boolean hasWaited() {
    long longest = node.pace().minLife();
    boolean waited = now() - sentAt >= longest;
    if (!waited && waking.compareAndSet(false, true)) {
      timers.after(longest, this::wake);
    }
    return waited;
  }

  private void wake() {
    waking.set(false);
    pump();
  }

  /** Sends what is queued; completed when nothing is under way any more. */
  CompletableFuture<Void> end() {
    ends = true;
    pump();
    return ended;
  }

  private void sendSome() {
    AfterUnlock after = new AfterUnlock();
    try {
      Sending sending = new Sending(now(), era, era.epoch());
      if (breaker.closed() && era.recounts()) {
        return; // looked at after the epoch: nothing names a new one before all is recounted
      }
      boolean onlyDebts = !breaker.closed() && listens && era.isKnown() && !era.recounts();
      List<InFlightClaim> flights = new ArrayList<>();
      ClaimSource next;
      while (flights.size() < MOST_CLAIMS && (next = queue.poll()) != null) {
        InFlightClaim flight = depart(next, onlyDebts, sending.at(), after);
        if (flight != null) {
          flights.add(flight);
        }
      }
      if (!flights.isEmpty()) {
        listens = false; // until it answers this
        carried = flights.size();
        sentAt = sending.at();
        launch(new Batch(this, flights, sending));
      }
    } finally {
      later.add(after);
    }
  }

  private @Nullable InFlightClaim depart(
      ClaimSource asker, boolean onlyDebts, long now, AfterUnlock after) {
    if (onlyDebts || breaker.closed()) {
      try {
        boolean tells = onlyDebts || era.waits();
        return tells ? asker.tell(now, after) : asker.depart(now, after);
      } catch (RuntimeException | Error mistake) {
        report(mistake);
      }
    }
    stay(asker, after);
    return null;
  }

  private void stay(ClaimSource asker, AfterUnlock after) {
    try {
      asker.stay(after);
    } catch (RuntimeException | Error mistake) {
      report(mistake);
    }
  }

  private void launch(Batch execute) {
    flying.incrementAndGet();
    execute.send(store);
  }

  Future<?> alarm(long micros, Runnable overdue) {
    return timers.alarm(micros, overdue);
  }

  /** How long to wait for an answer. */
  long timeout() {
    return node.timeout();
  }

  /** See {@link CacheContext#lateness}. */
  long lateness(long sentAt) {
    return node.lateness(sentAt);
  }

  long now() {
    return node.clock().micros();
  }

  void report(Throwable mistake) {
    timers.reports().failed(mistake);
  }

  /** Why a settle failed that was overdue before. */
  void explained(Throwable why) {
    timers.reports().explained(why);
  }

  /** A settle was answered. */
  void answered(long nanos, int claims, boolean late) {
    if (!late) {
      flying.decrementAndGet();
      breaker.succeeded(nanos);
      timers.reports().answered();
    }
    listens = true;
    timers.reports().storeExecuted(claims, nanos);
  }

  /** A settle failed or is overdue. */
  void failed(long nanos, Claim claim, Throwable cause) {
    flying.decrementAndGet();
    broke(nanos, cause, () -> probe(claim));
  }

  private void broke(long nanos, Throwable cause, Runnable probe) {
    probeAfter(nanos, cause, probe);
    report(cause);
  }

  private void probeAfter(long nanos, Throwable failure, Runnable probe) {
    breaker.failed(nanos, failure);
    if (!ends && !breaker.closed() && probing.compareAndSet(false, true)) {
      timers.after(PartitionBreaker.PAUSE_MICROS, probe);
    }
  }

  /** A settle was answered by a store that has other data. */
  void lostData(long nanos) {
    flying.decrementAndGet();
    breaker.succeeded(nanos);
    era.ask();
  }

  @Override
  public void told() {
    if (!breaker.closed()) {
      breaker.succeeded(0);
    }
    goOn(new AfterUnlock());
  }

  @Override
  public void toldLate() {
    listens = true;
  }

  @Override
  public void silent(Throwable why) {
    // Else settles and their probes find out; but this may be the probe itself.
    if (!era.isKnown() || !breaker.closed()) {
      broke(0, why, this::probe);
      goOn(new AfterUnlock());
    }
  }

  @Override
  public void lost(EpochTracker lost) {
    recount.all(this);
  }

  /** Sends what came up, and then lets those go on who waited. */
  void goOn(AfterUnlock after) {
    if (sender == Thread.currentThread()) {
      later.add(after); // the store answered before its call returned
    } else {
      pump();
      after.run();
    }
  }

  // A look at a bucket of the last failure: it takes nothing, so nothing can be lost.
  private void probe(Claim failed) {
    probing.set(false);
    if (breaker.probes()) {
      Claim look = Claim.peek(failed.bucket(), 1, failed.effectiveLimit(), failed.burst());
      Sending sending = new Sending(now(), era, era.epoch());
      launch(new Batch(this, List.of(new ProbeClaim(look)), sending));
    }
  }

  private void probe() {
    probing.set(false);
    if (breaker.probes() && !era.ask()) {
      // That question may be one that is over, whose answer tells the breaker nothing any more.
      probeAfter(0, new IllegalStateException("another question is under way"), this::probe);
    }
  }
}
