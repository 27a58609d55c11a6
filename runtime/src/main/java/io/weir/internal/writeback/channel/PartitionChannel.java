package io.weir.internal.writeback.channel;

import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.clock.SafeScheduler;
import io.weir.store.Claim;
import io.weir.store.LeasingStore;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends claims to one partition of the store: queues the sources that want to claim, and keeps at
 * most two calls in flight.
 *
 * <p>Claims that come up while calls are under way share the next one, so the busier the store, the
 * more each call carries. A second call goes out beside the first only if it carries as much:
 * otherwise a waiting crowd would be split into ever smaller calls. But a claim waits at most a
 * round trip for that, since the first call may be stalled. Claims are made when they are sent, out
 * of everything that has come up by then.
 *
 * <p>While the breaker is open, nothing waits: sources learn that the store can't be asked, and
 * only probes are sent. But a store that answers late isn't down: each answer, however late, lets
 * debts out once more, so that all nodes count what is admitted meanwhile.
 *
 * <p>A thread that waits for its own answer sends and reads, if there is one; otherwise a thread of
 * the store.
 *
 * <p>Safe for concurrent use. One thread at a time composes a batch; others leave their claims to
 * it.
 */
public final class PartitionChannel {
  /**
   * The number of batches that a thread may exchange in a row, also for others, before another
   * takes over.
   */
  private static final int MAX_ROUNDS = 4;

  private final LeasingStore store;
  private final NodeClock clock;
  private final ExtendableTimeout timeout;
  private final SafeScheduler scheduler;
  private final OverdueBatchTimer watch;
  private final SafeStoreListener listener;
  private final DataLossListener dataLoss;
  private final EpochTracker epochs;
  private final StoreTimeEstimate storeTime;
  private final Answers answers = new Answers();
  private final PartitionBreaker breaker = new PartitionBreaker();
  private final ClaimQueue queue = new ClaimQueue();
  private final BatchComposer composer;
  private final InFlightLimit inFlight;
  private final SingleSender loop = new SingleSender(this::sendAll);
  private final WaitingThreads callers = new WaitingThreads();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile boolean ending;
  private volatile boolean listens; // it has answered, perhaps late, since the last batch

  /** Opens a channel; nodes ask for epochs every {@code flushInterval} microseconds. */
  public PartitionChannel(
      int partition,
      LeasingStore store,
      NodeClock clock,
      ExtendableTimeout timeout,
      long flushInterval,
      SafeScheduler scheduler,
      SafeStoreListener listener,
      DataLossListener dataLoss) {
    this.store = store;
    this.clock = clock;
    this.timeout = timeout;
    this.scheduler = scheduler;
    this.watch = new OverdueBatchTimer(scheduler, timeout);
    this.listener = listener;
    this.dataLoss = dataLoss;
    this.inFlight = new InFlightLimit(clock, store.minLifeMicros()); // a round trip if it is near
    this.epochs =
        new EpochTracker(
            partition, store, clock, timeout, flushInterval, scheduler, listener, answers);
    this.storeTime = new StoreTimeEstimate(clock);
    this.composer = new BatchComposer(queue, breaker, epochs, listener);
  }

  /** Ends overdue calls now, even if the timer hasn't fired yet. */
  public void endOverdue() {
    long unused = watch.endOverdue();
  }

  /** Returns whether the store is worth asking for permits. */
  public boolean open() {
    return breaker.isClosed() && !epochs.inQuarantine();
  }

  /**
   * For how long the store has owed this node an answer. Unknown while it isn't to be asked: no
   * request waits for the store then.
   */
  public long silentMicros() {
    try {
      return open() ? store.silentMicros(partition()) : ExtendableTimeout.UNKNOWN;
    } catch (RuntimeException | LinkageError broken) {
      listener.failed(broken);
      return ExtendableTimeout.UNKNOWN;
    }
  }

  EpochTracker epochs() {
    return epochs;
  }

  public int partition() {
    return epochs.partition();
  }

  /** Asks for the epoch, so that this node learns of a loss even if it claims nothing. */
  void checkEpoch() {
    if (breaker.isClosed()) {
      epochs.check();
    }
  }

  /** Queues a source that wants to claim; sent by the next {@link #pump}. */
  public void enqueue(ClaimSource source) {
    queue.add(source);
  }

  /** Sends what may be sent if enough is queued to fill a batch. */
  public void pumpIfFull() {
    if (queue.size() >= BatchComposer.MAX_CLAIMS) {
      pump();
    }
  }

  /** Sends what may be sent. Returns at once if another thread is sending. */
  public void pump() {
    if (loop.run(null)) {
      endIfIdle();
    }
  }

  private void endIfIdle() {
    if (ending && queue.isEmpty() && inFlight.isIdle()) {
      ended.complete(null);
    }
  }

  /**
   * Has this thread wait until its request is answered or its time runs out. If no other thread
   * talks to the store, this one does: it sends what is queued and reads the answers. Otherwise it
   * sleeps until it is answered or its turn to send comes.
   *
   * <p>Once answered, it goes on for a few rounds while others wait, since waking one of them takes
   * longer; then one of them takes over. If as many already wait as the last batch answered, the
   * next batch is sent before they are woken, so that the store needn't wait for that.
   */
  public void await(WaitingThread caller) {
    caller.waitsFor(this::silentMicros);
    boolean sends = false; // whether it is this thread's turn, so no other was woken
    int rounds = 0;
    while (caller.left() > 0 || sends && goesOn(caller, rounds)) {
      boolean exchanged = exchange(caller);
      rounds += exchanged ? 1 : 0;
      if (!exchanged || !goesOn(caller, rounds) || queue.size() < inFlight.lastSize()) {
        caller.wakeOthers(); // now: they may join the next batch
      }
      sends = exchanged || caller.left() > 0 && callers.sleep(caller);
    }
    if (sends) {
      sendNext();
    }
    caller.wakeOthers();
  }

  private boolean goesOn(WaitingThread caller, int rounds) {
    return rounds < MAX_ROUNDS && caller.mayGoOn() && !queue.isEmpty();
  }

  /** Sends a batch and reads its answers; false if there was none to send. */
  private boolean exchange(WaitingThread caller) {
    boolean ran = false;
    PartitionBatch batch;
    try {
      ran = loop.run(caller);
    } finally {
      batch = caller.takeBatch(); // whatever a callback threw: its claims count as sent
      if (batch != null) {
        batch.exchange(store, caller);
      }
    }
    if (ran) {
      endIfIdle();
    }
    return batch != null;
  }

  /** Wakes a waiting thread for that; sends here if none is waiting. */
  private void sendNext() {
    if (queue.isEmpty() || !inFlight.allows(queue.size()) || !callers.wakeOne()) {
      pump();
    }
  }

  private void sendAll(@Nullable WaitingThread caller) {
    try {
      if (breaker.isClosed() && !epochs.isKnown() && !queue.isEmpty()) {
        epochs.ask(); // first; what is queued waits for the answer
      }
      while (!queue.isEmpty() && maySend()) {
        sendBatch(caller);
      }
    } catch (RuntimeException | Error mistake) {
      listener.failed(mistake); // what is queued waits for the next flush
    }
  }

  private boolean maySend() {
    if (!breaker.isClosed()) {
      return true; // to nowhere: the sources learn that
    }
    if (!epochs.isKnown() || epochs.isRecovering()) {
      return false;
    }
    boolean allowed = inFlight.allows(queue.size());
    if (!allowed && inFlight.needsRetry()) {
      scheduler.runAfter(
          inFlight.roundTrip(),
          () -> {
            inFlight.endRetry();
            pump();
          });
    }
    return allowed;
  }

  /** Sends what is queued; completed when nothing is in flight any more. */
  CompletableFuture<Void> end() {
    ending = true;
    pump();
    return ended;
  }

  private PartitionBatch newBatch() {
    return new PartitionBatch(answers, listener, epochs, storeTime, timeout, watch, clock.micros());
  }

  private void sendBatch(@Nullable WaitingThread caller) {
    AfterUnlock after = new AfterUnlock();
    try {
      PartitionBatch batch = newBatch();
      if (breaker.isClosed() && epochs.isRecovering()) {
        return; // read after the epoch: nothing names a new one before recovery has queued its part
      }
      composer.compose(batch, listens, after);
      if (batch.size() > 0) {
        listens = false; // until it answers this
        inFlight.noteSent(batch.size(), batch.sentAt());
        inFlight.begin();
        if (caller == null || !caller.take(batch)) {
          batch.send(store);
        }
      }
    } finally {
      loop.defer(after);
    }
  }

  /** Sends what came up, then runs the callbacks. */
  private void proceed(AfterUnlock after) {
    if (loop.isSending()) {
      loop.defer(after);
    } else {
      sendNext();
      after.run();
    }
  }

  private void scheduleProbe(Runnable probe) {
    breaker.noteFailure();
    if (!ending && breaker.needsProbe()) {
      scheduler.runAfter(PartitionBreaker.PAUSE_MICROS, probe);
    }
  }

  // A peek at a bucket of the last failure: it takes nothing, so nothing can be lost.
  private void probe(Claim failed) {
    if (breaker.beginProbe()) {
      PartitionBatch batch = newBatch();
      Claim peek = Claim.peek(failed.bucket(), 1, failed.effectiveLimit(), failed.burst());
      batch.add(new ProbeClaim(peek));
      inFlight.begin();
      batch.send(store);
    }
  }

  private void probeEpoch() {
    if (breaker.beginProbe() && !epochs.ask()) {
      // The question under way may be over, and its answer no longer reaches the breaker.
      scheduleProbe(this::probeEpoch);
    }
  }

  /** Handles the store's answers to batches and to questions for its epoch. */
  private final class Answers implements PartitionBatch.Listener, EpochTracker.Listener {
    @Override
    public long silentMicros() {
      return PartitionChannel.this.silentMicros();
    }

    @Override
    public void answered(long nanos, int claims, boolean late) {
      if (!late) {
        breaker.noteSuccess();
        listener.answered();
      }
      listens = true;
      listener.storeExecuted(claims, nanos);
    }

    @Override
    public void refusedEpoch() {
      breaker.noteSuccess();
      epochs.ask();
    }

    @Override
    public void failed(Claim first, Throwable cause) {
      scheduleProbe(() -> probe(first));
      listener.failed(cause);
    }

    @Override
    public void enqueue(ClaimSource source) {
      queue.add(source);
    }

    @Override
    public void over() {
      inFlight.end();
    }

    @Override
    public void finished(AfterUnlock after) {
      proceed(after);
    }

    @Override
    public void epochAnswered() {
      if (!breaker.isClosed()) {
        breaker.noteSuccess();
      }
      if (breaker.isClosed()) {
        listener.answered();
      }
      proceed(new AfterUnlock());
    }

    @Override
    public void epochAnsweredLate() {
      listens = true;
    }

    @Override
    public void epochUnanswered(Throwable cause) {
      // Otherwise batches and their probes find out; but this may be the probe itself.
      if (!epochs.isKnown() || !breaker.isClosed()) {
        scheduleProbe(PartitionChannel.this::probeEpoch);
        listener.failed(cause);
        proceed(new AfterUnlock());
      }
    }

    @Override
    public void dataLost() {
      dataLoss.dataLost(partition(), PartitionChannel.this::enqueue);
      pump();
    }
  }
}
