package io.weir.internal.server.envoy.config;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Refreshes files once a second on a thread of its own, until it is closed. Safe for concurrent
 * use.
 */
public final class ConfigPoll implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread poll = new Thread(work, "weir-envoy-files");
            poll.setDaemon(true);
            return poll;
          });

  /**
   * Begins to refresh.
   *
   * @param files what is followed
   */
  public ConfigPoll(ConfigFiles files) {
    long nanos = INTERVAL.toNanos();
    var unused = thread.scheduleWithFixedDelay(files::refresh, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** Stops, and waits for a refresh that is under way no longer than a second. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      boolean unused = thread.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
