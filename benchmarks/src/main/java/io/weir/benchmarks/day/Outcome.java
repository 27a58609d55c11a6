package io.weir.benchmarks.day;

import io.weir.benchmarks.Latencies;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Work;
import io.weir.benchmarks.cluster.Admissions;
import io.weir.benchmarks.redis.RedisWork;
import java.util.List;
import java.util.Locale;

/**
 * The results of a load.
 *
 * <p>Immutable, as long as its parts don't change.
 *
 * @param slices how long requests took from when they were due, in each part of the time that
 *     counts
 * @param late how many of them were never sent: what they had waited by then counts
 * @param requests how many were sent in that time
 * @param exchanges the number of exchanges with Redis meanwhile
 * @param withoutIo how many of a hundred requests needed no I/O
 * @param node what all threads did meanwhile, those of the load too
 * @param redis what Redis did meanwhile
 * @param admissions all that were admitted from the beginning, with their users
 */
record Outcome(
    List<Latencies> slices,
    long late,
    long requests,
    long exchanges,
    double withoutIo,
    Work node,
    RedisWork redis,
    Admissions admissions) {
  private static final double KEEPS_UP = 0.005;

  static final List<String> COLUMNS =
      List.of(
          "p50 µs",
          "p99 µs",
          "p99.9 µs",
          "without I/O",
          "exchanges each",
          "reads of Redis each",
          "CPU of nodes, µs each",
          "CPU of Redis, µs each");

  /** Returns a percentile of each slice, in microseconds. */
  Samples micros(double percent) {
    return Samples.of(slices.stream().mapToDouble(slice -> slice.micros(percent)).toArray());
  }

  /** Returns whether nearly all requests could be sent; else the times say how long it lasted. */
  boolean keptUp() {
    return late <= KEEPS_UP * requests;
  }

  double nodeMicros() {
    return node.cpuNanos() / 1e3 / requests;
  }

  List<String> cells() {
    if (!keptUp()) {
      return List.of("can't keep up", "", "", "", "", "", "", "");
    }
    return List.of(
        text("%,.0f", micros(50).median()),
        text("%,.0f", micros(99).median()),
        text("%,.0f", micros(99.9).median()),
        text("%.1f %%", withoutIo),
        text("%.3f", (double) exchanges / requests),
        text("%.3f", (double) redis.reads() / requests),
        text("%.1f", nodeMicros()),
        text("%.1f", redis.cpuNanos() / 1e3 / requests));
  }

  private static String text(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }
}
