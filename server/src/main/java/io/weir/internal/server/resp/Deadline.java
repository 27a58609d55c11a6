package io.weir.internal.server.resp;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A time after which something is done to a connection, unless it is lifted before. At most one
 * timer runs for it, and none once it is lifted: else connections that come and go quickly would
 * leave theirs behind, and each timer keeps its connection in memory.
 *
 * <p>Confine to the thread of the connection.
 */
final class Deadline {
  private final Duration time;
  private final Runnable task;
  private @Nullable Future<?> timer;

  Deadline(Duration time, Runnable task) {
    this.time = time;
    this.task = task;
  }

  /** Begins; does nothing if it is running already. */
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

  /** Whatever it waited for has come. */
  void lift() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
