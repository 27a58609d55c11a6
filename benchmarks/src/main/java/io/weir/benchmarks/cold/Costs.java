package io.weir.benchmarks.cold;

import io.weir.benchmarks.Samples;
import io.weir.benchmarks.redis.Newcomers;
import java.util.List;
import java.util.Locale;

/**
 * The costs of one contender's requests, round by round.
 *
 * <p>Confine to one thread.
 */
public final class Costs {
  /** The heads of the rows. */
  public static final List<String> COLUMNS =
      List.of(
          "threads",
          "contender",
          "requests a second",
          "p50 µs",
          "p99 µs",
          "CPU of the node, µs a request",
          "CPU of the store, µs a request",
          "B a request");

  private final double[] perSecond;
  private final double[] p50;
  private final double[] p99;
  private final double[] cpu;
  private final double[] store;
  private final double[] bytes;

  Costs(int rounds) {
    perSecond = new double[rounds];
    p50 = new double[rounds];
    p99 = new double[rounds];
    cpu = new double[rounds];
    store = new double[rounds];
    bytes = new double[rounds];
  }

  void note(int round, Newcomers.Round came) {
    perSecond[round] = came.perSecond();
    p50[round] = came.latencies().micros(50);
    p99[round] = came.latencies().micros(99);
    cpu[round] = came.node().cpuNanos() / 1e3 / came.requests();
    store[round] = came.storeNanos() / 1e3 / came.requests();
    bytes[round] = (double) came.node().bytes() / came.requests();
  }

  /** Requests a second. */
  public Samples perSecond() {
    return Samples.of(perSecond);
  }

  /** Returns the median of what callers waited, in microseconds. */
  public Samples p50() {
    return Samples.of(p50);
  }

  /** Returns the 99th percentile of what callers waited, in microseconds. */
  public Samples p99() {
    return Samples.of(p99);
  }

  /** Microseconds of the processor in the node, a request. */
  public Samples cpu() {
    return Samples.of(cpu);
  }

  /** Bytes allocated in the node, a request. */
  public Samples bytes() {
    return Samples.of(bytes);
  }

  List<String> row(int threads, String contender) {
    return List.of(
        "" + threads,
        contender,
        text("%,.0f", perSecond),
        text("%,.0f", p50),
        text("%,.0f", p99),
        text("%.1f", cpu),
        text("%.1f", store),
        text("%,.0f", bytes));
  }

  private static String text(String format, double... samples) {
    return String.format(Locale.ROOT, format, Samples.of(samples).median());
  }
}
