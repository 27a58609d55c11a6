package io.weir.benchmarks.cluster;

import com.sun.management.OperatingSystemMXBean;
import io.weir.benchmarks.redis.RedisWork;
import io.weir.compat.redis.RedisServer;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the processor time of this process and each Redis, and the worst delay of a thread that
 * is ready to run.
 *
 * <p>Confine to one thread.
 */
final class Busy {
  private static final long STEP_NANOS = 1_000_000;

  private final RedisServer weirs;
  private final RedisServer delayings;
  private final long wall = System.nanoTime();
  private final long here = here();
  private final double first;
  private final double second;
  private final Thread watch = new Thread(this::watch, "watch");
  private volatile long longestNanos;
  private volatile boolean over;

  Busy(RedisServer weirs, RedisServer delayings) {
    this.weirs = weirs;
    this.delayings = delayings;
    this.first = seconds(weirs);
    this.second = seconds(delayings);
    watch.setDaemon(true);
    watch.start();
  }

  private void watch() {
    long last = System.nanoTime();
    while (!over) {
      LockSupport.parkNanos(STEP_NANOS);
      long now = System.nanoTime();
      longestNanos = Math.max(longestNanos, now - last - STEP_NANOS);
      last = now;
    }
  }

  String told() {
    over = true;
    double seconds = (System.nanoTime() - wall) / 1e9;
    return String.format(
        Locale.ROOT,
        "%.0f %% of a core all nodes and callers together, %.1f %% Weir's Redis, %.1f %% the other;"
            + " a thread that wanted to run waited %d ms at the worst",
        100 * (here() - here) / 1e9 / seconds,
        100 * (seconds(weirs) - first) / seconds,
        100 * (seconds(delayings) - second) / seconds,
        longestNanos / 1_000_000);
  }

  private static long here() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static double seconds(RedisServer redis) {
    return RedisWork.of(redis).cpuNanos() / 1e9;
  }
}
