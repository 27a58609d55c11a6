package io.weir.internal.server.resp;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task on a connection after a time, unless it is cancelled before. Has at most one timer,
 * and none once it is cancelled, because each timer keeps its connection in memory.
 *
 * <p>Confine to the thread of the connection.
 */
final class ConnectionTimer {
  private final Duration time;
  private final Runnable task;
  private @Nullable Future<?> timer;

  ConnectionTimer(Duration time, Runnable task) {
    this.time = time;
    this.task = task;
  }

  /** Starts; does nothing if it is running. */
  void begin(EventLoop thread) {
    if (timer == null) {
      timer = thread.schedule(this::end, time.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void end() {
    timer = null;
    task.run();
  }

  boolean isRunning() {
    return timer != null;
  }

  void cancel() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
