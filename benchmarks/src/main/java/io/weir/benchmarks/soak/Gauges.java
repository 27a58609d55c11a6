package io.weir.benchmarks.soak;

import io.weir.benchmarks.Report;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Checks measurements that must stay flat: heap and threads of all nodes together, and the size of
 * Redis.
 *
 * <p>Confine to one thread.
 */
final class Gauges {
  private static final double MEBI = 1 << 20;

  private final Gauge heap = new Gauge("heap", 24);
  private final Gauge threads = new Gauge("threads", 12);
  private final Gauge memory = new Gauge("redis_memory", 2);
  private final Gauge keys = new Gauge("redis_keys", 500);
  private final List<Gauge> all = List.of(heap, threads, memory, keys);

  void look(NodeState nodes, double redisMebi, long redisKeys) {
    heap.add(nodes.heap() / MEBI);
    threads.add((double) nodes.threads());
    memory.add(redisMebi);
    keys.add((double) redisKeys);
  }

  /** Returns the last samples, as cells of a row. */
  List<String> last() {
    return List.of(
        decimal(heap.last()), whole(threads.last()), decimal(memory.last()), whole(keys.last()));
  }

  String slopes() {
    return all.stream()
        .map(each -> each.name() + " " + String.format(Locale.ROOT, "%+.3f", each.slope()))
        .collect(Collectors.joining(", "));
  }

  List<String> growing() {
    return all.stream().filter(Gauge::grows).map(each -> each.name() + " grows").toList();
  }

  void tell(Report report) {
    tell(report, heap, "MiB");
    tell(report, threads, "threads");
    tell(report, memory, "MiB");
    tell(report, keys, "keys");
  }

  private static void tell(Report report, Gauge gauge, String unit) {
    report.figure("soak." + gauge.name() + "_first", gauge.first(), unit);
    report.figure("soak." + gauge.name() + "_last", gauge.last(), unit);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }
}
