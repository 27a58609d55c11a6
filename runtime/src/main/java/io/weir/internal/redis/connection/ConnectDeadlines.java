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
 * Closes sockets that aren't connected in time, and those that still aren't when Weir is closed.
 *
 * <p>A time-out of a socket bounds one read. A server that sends a byte now and then would keep a
 * thread for as long as it likes.
 *
 * <p>Safe for concurrent use.
 */
final class ConnectDeadlines {
  /**
   * So much longer may this process take, where it isn't the server that keeps a socket from being
   * ready. Classes that are loaded beside busy processors take seconds.
   */
  private static final long LONGEST_BEHIND = TimeUnit.SECONDS.toNanos(10);

  private final ScheduledExecutorService watch;
  private final Ticker ticker;
  private final Set<Deadline> pending = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  ConnectDeadlines(ScheduledExecutorService watch, Ticker ticker) {
    this.watch = watch;
    this.ticker = ticker;
  }

  /** From now on a socket is closed after so many milliseconds, unless the deadline is before. */
  Deadline begin(Socket socket, int millis) {
    long start = ticker.nanoTime();
    return begin(socket, millis, now -> now - start);
  }

  /**
   * From now on a socket is closed once its server has been silent for so many milliseconds, or
   * this process has been slow for very long besides, unless the deadline is before.
   *
   * @param silence for how long the server has owed an answer, in nanoseconds by the time it is now
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

  /** Closes all that isn't ready yet, and whatever begins later. */
  void close() {
    closed = true;
    pending.forEach(Deadline::expire);
  }

  /** Closes a socket without waiting for anybody. */
  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // As was asked for.
    }
  }

  /** The time until which one socket has to be ready; closed when it is, or nobody waits for it. */
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
      long left =
          Math.min(allowed - silence.applyAsLong(now), allowed + LONGEST_BEHIND - (now - start));
      if (left <= 0 || !schedule(left)) {
        expire();
      }
    }

    /** False if nobody would check again. Atomic with close, or the alarm would outlive it. */
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

    /** Whether it was this that closed the socket. */
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
