package io.weir.internal.writeback.channel;

import io.weir.internal.clock.ExtendableTimeout;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for the answer to its own request, and meanwhile talks to the store, also for
 * all others whose claims are in the same batch.
 *
 * <p>Confine to that thread, but for {@link #done} and {@link #wake}.
 */
public final class WaitingThread implements PartitionBatch.Reader {
  private final Thread thread = Thread.currentThread();
  private final ExtendableTimeout timeout;
  private final long began;
  private long ends;
  private boolean extended;
  private @Nullable PartitionBatch batch;
  private @Nullable List<Runnable> toWake;
  private LongSupplier silent = () -> ExtendableTimeout.UNKNOWN;
  private volatile boolean done;

  /**
   * Begins a wait of the calling thread.
   *
   * @param began when its wait began
   */
  public WaitingThread(ExtendableTimeout timeout, long began) {
    this.timeout = timeout;
    this.began = began;
    this.ends = timeout.length();
  }

  /**
   * Returns whether the calling thread may wait for an exchange. A virtual thread may not:
   * interrupting it would close its connection, with the answers of all others. Nor may an
   * interrupted thread: its request is decided at once.
   */
  public static boolean mayBegin() {
    return !VirtualThreadDetector.isCurrent() && !Thread.currentThread().isInterrupted();
  }

  public void done() {
    done = true;
    wake();
  }

  /**
   * Sets the partition that it waits for; {@code silence} returns for how long that has owed an
   * answer.
   */
  void waitsFor(LongSupplier silence) {
    silent = silence;
  }

  @Override
  public boolean isCurrent() {
    return thread == Thread.currentThread();
  }

  boolean isDone() {
    return done;
  }

  /** Wakes it, so that it checks again what to do. */
  void wake() {
    if (thread != Thread.currentThread()) {
      LockSupport.unpark(thread);
    }
  }

  /** Returns microseconds; 0 if it is to wait no longer. */
  long left() {
    return done || thread.isInterrupted() ? 0 : time();
  }

  /** Returns whether its time hasn't run out yet, even if it is answered. */
  boolean mayGoOn() {
    return !thread.isInterrupted() && time() > 0;
  }

  /** Microseconds until its time runs out, even if it is answered. */
  @Override
  public long time() {
    long left = ends - timeout.elapsed(began);
    if (left <= 0) {
      left = timeout.extension(began, extended, silent.getAsLong());
      extended = true;
      ends = timeout.elapsed(began) + left;
    }
    return Math.max(0, left);
  }

  /** Waits until it is woken or its time runs out; may return earlier. */
  void park() {
    LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(left()));
  }

  /** Runs the callbacks, except those that wake others. */
  @Override
  public void finished(AfterUnlock after) {
    wakeOthers();
    toWake = after.takeWakes();
    after.run();
  }

  @Override
  public void wakeOthers() {
    List<Runnable> wakes = toWake;
    toWake = null;
    for (int i = 0; wakes != null && i < wakes.size(); i++) {
      wakes.get(i).run();
    }
  }

  /** Gives it a batch to exchange; false if it has one. */
  boolean take(PartitionBatch next) {
    boolean free = batch == null;
    batch = free ? next : batch;
    return free;
  }

  /** Returns null if there is none. */
  @Nullable PartitionBatch takeBatch() {
    PartitionBatch taken = batch;
    batch = null;
    return taken;
  }
}
