package io.weir.benchmarks.cluster;

import com.sun.management.OperatingSystemMXBean;
import io.weir.compat.redis.RedisServer;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much processor time this process and each Redis have used since.
 *
 * <p>Immutable.
 */
final class Busy {
  private static final Pattern USED = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");

  private final RedisServer weirs;
  private final RedisServer delayings;
  private final long wall = System.nanoTime();
  private final long here = here();
  private final double first;
  private final double second;

  Busy(RedisServer weirs, RedisServer delayings) {
    this.weirs = weirs;
    this.delayings = delayings;
    this.first = seconds(weirs);
    this.second = seconds(delayings);
  }

  String told() {
    double seconds = (System.nanoTime() - wall) / 1e9;
    return String.format(
        Locale.ROOT,
        "%.0f %% of a core all nodes and callers together, %.1f %% Weir's Redis, %.1f %% the other",
        100 * (here() - here) / 1e9 / seconds,
        100 * (seconds(weirs) - first) / seconds,
        100 * (seconds(delayings) - second) / seconds);
  }

  private static long here() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static double seconds(RedisServer redis) {
    Matcher used = USED.matcher(redis.ask("info", "cpu"));
    double sum = 0;
    while (used.find()) {
      sum += Double.parseDouble(used.group(1));
    }
    return sum;
  }
}
