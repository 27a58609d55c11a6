package io.weir.benchmarks.redis;

import io.weir.compat.redis.RedisServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The work of a Redis since it started.
 *
 * <p>Immutable.
 *
 * @param cpuNanos its processor time, in the kernel as well
 * @param reads how often it has read from a connection: once for a command that waits for its
 *     answer, once for many that come together
 */
public record RedisWork(long cpuNanos, long reads) {
  private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");
  private static final Pattern READS = Pattern.compile("total_reads_processed:([0-9]+)");

  /** Asks it, which is two commands. */
  public static RedisWork of(RedisServer redis) {
    return new RedisWork(
        (long) (1e9 * sum(CPU, redis.ask("INFO", "cpu"))),
        (long) sum(READS, redis.ask("INFO", "stats")));
  }

  private static double sum(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    double sum = 0;
    while (found.find()) {
      sum += Double.parseDouble(found.group(1));
    }
    return sum;
  }

  /** Returns its work since then. */
  public RedisWork since(RedisWork before) {
    return new RedisWork(cpuNanos - before.cpuNanos, reads - before.reads);
  }
}
