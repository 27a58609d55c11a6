package io.weir.internal.writeback.channel;

import io.weir.internal.clock.ExtendableTimeout;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends claims to one partition in one call, and reports the outcome of each: answered, failed or
 * overdue, whichever comes first. A later answer still counts, because its permits are charged.
 *
 * <p>It is made before its claims: the life of a lease is counted from {@link #sentAt}, and the
 * call names the epoch known by then.
 *
 * <p>Safe for concurrent use once sent.
 */
final class PartitionBatch implements SentBatch, OverdueBatchTimer.Timed {
  private final Listener listener;
  private final SafeStoreListener storeListener;
  private final EpochTracker epochs;
  private final StoreTimeEstimate storeTime;
  private final ExtendableTimeout timeout;
  private final OverdueBatchTimer watch;
  private final long sentAt;
  private final Epoch epoch;
  private final List<SentClaim> claims = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();

  // Guarded by this: the watch isn't the only reader.
  private long mostMicros;
  private boolean extended;

  /** The thread that is reading the answers. */
  private volatile @Nullable Reader reader;

  /** A thread that sends and reads while it waits for the answer to its own request. */
  interface Reader {
    boolean isCurrent();

    /** Returns the microseconds for which it may wait. */
    long time();

    /** Wakes the threads that it still has to wake; called once the batch has been sent. */
    void wakeOthers();

    /** Runs the callbacks; called by this thread when all claims have their outcome. */
    void finished(AfterUnlock after);
  }

  /** Receives the outcome of a batch. */
  interface Listener {
    /** For how long the store has owed an answer; negative if that is unknown. */
    long silentMicros();

    void answered(long nanos, int claims, boolean late);

    /** The store answered that it has lost its data; nothing was executed. */
    void refusedEpoch();

    void failed(Claim first, Throwable cause);

    void enqueue(ClaimSource source);

    /** It is no longer in flight: answered or overdue, and what follows from that is queued. */
    void over();

    /** Runs the callbacks; called by a thread of the store when all claims have their outcome. */
    void finished(AfterUnlock after);
  }

  PartitionBatch(
      Listener listener,
      SafeStoreListener storeListener,
      EpochTracker epochs,
      StoreTimeEstimate storeTime,
      ExtendableTimeout timeout,
      OverdueBatchTimer watch,
      long now) {
    this.listener = listener;
    this.storeListener = storeListener;
    this.epochs = epochs;
    this.storeTime = storeTime;
    this.timeout = timeout;
    this.watch = watch;
    this.sentAt = now;
    this.mostMicros = timeout.length();
    this.epoch = epochs.epoch();
  }

  @Override
  public long sentAt() {
    return sentAt;
  }

  @Override
  public boolean isDataCurrent() {
    return epochs.isCurrent(epoch);
  }

  void add(SentClaim claim) {
    claims.add(claim);
  }

  int size() {
    return claims.size();
  }

  /** Sends it on a thread of the store. */
  void send(LeasingStore store) {
    exchange(claims -> store.execute(epochs.partition(), epoch, claims));
  }

  /** Sends it and reads the answers on this thread, for as long as this may wait. */
  void exchange(LeasingStore store, Reader by) {
    reader = by;
    long most = Math.max(1, by.time());
    exchange(
        claims -> store.executeBlocking(epochs.partition(), epoch, claims, most, by::wakeOthers));
    reader = null;
  }

  private void exchange(Function<List<Claim>, CompletionStage<List<Optional<Grant>>>> call) {
    watch.begin(this);
    try {
      List<Claim> sent = new ArrayList<>(claims.size());
      for (SentClaim claim : claims) {
        sent.add(storeTime.named(claim.claim()));
      }
      call.apply(sent).whenComplete(this::arrived);
    } catch (RuntimeException | Error broken) {
      arrived(null, broken);
    }
  }

  @Override
  public long endIfOverdue() {
    if (over.get()) {
      return 0;
    }
    long left = left();
    if (left <= 0) {
      overdue();
    }
    return Math.max(0, left);
  }

  private synchronized long left() {
    long left = mostMicros - timeout.elapsed(sentAt);
    if (left <= 0) {
      left = timeout.extension(sentAt, extended, listener.silentMicros());
      extended = true;
      mostMicros = timeout.elapsed(sentAt) + left;
    }
    return left;
  }

  private void overdue() {
    if (over.compareAndSet(false, true)) {
      watch.end(this);
      fail(new TimeoutException("the store took too long"));
    }
  }

  private void arrived(@Nullable List<Optional<Grant>> answers, @Nullable Throwable failure) {
    boolean late = !over.compareAndSet(false, true);
    watch.end(this);
    if (answers != null && answers.size() == claims.size()) {
      listener.answered(nanos(), claims.size(), late);
      answered(answers, late);
    } else if (!late && isDataLost(failure)) {
      listener.refusedEpoch();
      unanswered();
    } else if (!late) {
      fail(failure != null ? failure : new IllegalStateException("no answer"));
    } else if (failure != null) {
      storeListener.explained(failure);
    }
  }

  private static boolean isDataLost(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof DataLossException;
  }

  private long nanos() {
    return timeout.elapsed(sentAt) * 1_000;
  }

  private void fail(Throwable cause) {
    listener.failed(claims.get(0).claim(), cause);
    unanswered();
  }

  private void answered(List<Optional<Grant>> answers, boolean late) {
    AfterUnlock after = new AfterUnlock();
    for (int i = 0; i < claims.size(); i++) {
      SentClaim claim = claims.get(i);
      Optional<Grant> answer = answers.get(i);
      if (answer.isPresent()) {
        tell(claim, answer.get(), late, after);
      } else if (!late) {
        tell(claim, null, false, after);
      }
    }
    if (!late) {
      listener.over();
    }
    finished(after);
  }

  private void unanswered() {
    AfterUnlock after = new AfterUnlock();
    claims.forEach(claim -> tell(claim, null, false, after));
    listener.over();
    finished(after);
  }

  private void finished(AfterUnlock after) {
    Reader by = reader;
    if (by != null && by.isCurrent()) {
      by.finished(after);
    } else {
      listener.finished(after);
    }
  }

  // A mistake with one bucket must not affect the others of this batch.
  private void tell(SentClaim claim, @Nullable Grant grant, boolean late, AfterUnlock after) {
    try {
      ClaimSource again = told(claim, grant, late, after);
      if (again != null) {
        listener.enqueue(again);
      }
    } catch (RuntimeException | Error mistake) {
      storeListener.failed(mistake);
    }
  }

  private @Nullable ClaimSource told(
      SentClaim claim, @Nullable Grant grant, boolean late, AfterUnlock after) {
    if (grant == null) {
      return claim.unanswered(this, after);
    }
    if (grant.isOfOtherWindow()) {
      storeTime.learn(grant);
      return claim.namedOtherWindow(this, late, after);
    }
    return claim.answered(grant, this, late, after);
  }
}
