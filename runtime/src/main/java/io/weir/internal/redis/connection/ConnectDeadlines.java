package io.weir.internal.redis.connection;

import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Closes sockets that aren't connected in time, and those that still aren't when Weir is closed.
 *
 * <p>A time-out of a socket bounds one read. A server that sends a byte now and then would keep a
 * thread for as long as it likes.
 *
 * <p>Safe for concurrent use.
 */
final class ConnectDeadlines {
  private final ScheduledExecutorService watch;
  private final Set<Deadline> pending = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  ConnectDeadlines(ScheduledExecutorService watch) {
    this.watch = watch;
  }

  /** From now on a socket is closed after so many milliseconds, unless the deadline is before. */
  Deadline begin(Socket socket, int millis) {
    Deadline deadline = new Deadline(socket);
    pending.add(deadline);
    deadline.schedule(millis);
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
    private volatile Future<?> alarm = new FutureTask<>(() -> null);
    private volatile boolean missed;

    private Deadline(Socket socket) {
      this.socket = socket;
    }

    private void schedule(int millis) {
      try {
        alarm = watch.schedule(this::expire, millis, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException ended) {
        expire();
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
    public void close() {
      alarm.cancel(false);
      pending.remove(this);
    }
  }
}
