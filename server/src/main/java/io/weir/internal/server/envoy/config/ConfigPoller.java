package io.weir.internal.server.envoy.config;

import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.PeriodicTask;
import java.time.Duration;

/**
 * Refreshes files once a second on a thread of its own, until it is closed. Safe for concurrent
 * use.
 */
public final class ConfigPoller implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final PeriodicTask task;

  public ConfigPoller(ReloadableConfig files) {
    this.task =
        PeriodicTask.start(
            DaemonThreadFactory.named("weir-envoy-files"), INTERVAL, INTERVAL, files::refresh);
  }

  /** Stops, and waits at most a second for a refresh that is under way. */
  @Override
  public void close() {
    task.closeAndWait(INTERVAL);
  }
}
