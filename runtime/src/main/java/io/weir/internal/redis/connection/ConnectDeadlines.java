package io.weir.internal.redis.connection;

import io.weir.Ticker;
import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Closes sockets that aren't ready in time, and those that still aren't when Weir is closed.
 *
 * <p>A socket's time-out bounds one read only: a server that sends a byte now and then could occupy
 * a thread forever.
 *
 * <p>Safe for concurrent use.
 */
final class ConnectDeadlines {
  /**
   * The additional time for this process, if it isn't the server that keeps a socket from being
   * ready. Loading classes on a busy machine takes seconds.
   */
  private static final long MAX_DELAY = TimeUnit.SECONDS.toNanos(10);

  private final ScheduledExecutorService watch;
  private final Ticker ticker;
  private final Set<Deadline> pending = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  ConnectDeadlines(ScheduledExecutorService watch, Ticker ticker) {
    this.watch = watch;
    this.ticker = ticker;
  }

  /** Has a socket closed after this many milliseconds, unless the deadline is closed before. */
  Deadline begin(Socket socket, int millis) {
    long start = ticker.nanoTime();
    return begin(socket, millis, now -> now - start);
  }

  /**
   * Has a socket closed once its server has been silent for this many milliseconds, or this process
   * has been very slow besides, unless the deadline is closed before.
   *
   * @param silence returns the nanoseconds for which the server has owed an answer at a given time
   */
  Deadline begin(Socket socket, int millis, LongUnaryOperator silence) {
    Deadline deadline = new Deadline(socket, TimeUnit.MILLISECONDS.toNanos(millis), silence);
    pending.add(deadline);
    deadline.check();
    if (closed) {
      deadline.expire();
    }
    return deadline;
  }

  /** Closes all sockets that aren't ready yet, and all that begin later. */
  void close() {
    closed = true;
    pending.forEach(Deadline::expire);
  }

  /** Closes a socket without waiting. */
  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // It is closed.
    }
  }

  /** The time by which one socket has to be ready; closed when it is ready or no longer needed. */
  final class Deadline implements AutoCloseable {
    private final Socket socket;
    private final long allowed;
    private final LongUnaryOperator silence;
    private final long start = ticker.nanoTime();
    private Future<?> alarm = new FutureTask<>(() -> null);
    private boolean ready;
    private volatile boolean missed;

    private Deadline(Socket socket, long allowed, LongUnaryOperator silence) {
      this.socket = socket;
      this.allowed = allowed;
      this.silence = silence;
    }

    private void check() {
      long now = ticker.nanoTime();
      long left = Math.min(allowed - silence.applyAsLong(now), allowed + MAX_DELAY - (now - start));
      if (left <= 0 || !schedule(left)) {
        expire();
      }
    }

    /**
     * Schedules the next check; false if that is impossible. Atomic with close, or the alarm would
     * outlive it.
     */
    private synchronized boolean schedule(long nanos) {
      try {
        if (!ready) {
          alarm = watch.schedule(this::check, nanos, TimeUnit.NANOSECONDS);
        }
        return true;
      } catch (RejectedExecutionException ended) {
        return false;
      }
    }

    private void expire() {
      missed = true;
      ConnectDeadlines.close(socket);
    }

    /** Returns whether this deadline closed the socket. */
    boolean missed() {
      return missed;
    }

    @Override
    public synchronized void close() {
      ready = true;
      alarm.cancel(false);
      pending.remove(this);
    }
  }
}
