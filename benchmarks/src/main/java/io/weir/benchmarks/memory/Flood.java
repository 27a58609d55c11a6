package io.weir.benchmarks.memory;

import io.weir.benchmarks.Child;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * A node with room for few buckets in a small heap, flooded with keys in turns with one that has
 * room for all of them.
 *
 * <p>Confine to one thread.
 */
final class Flood {
  private static final int OUT_OF_MEMORY = 3; // as of -XX:+ExitOnOutOfMemoryError
  private static final int BOUNDED = 10;
  private static final int UNBOUNDED = 11;
  private static final int ROOM = 100_000;
  private static final int MIB = 1 << 20;

  private final String store;
  private final String name;
  private final Report report;

  Flood(String store, String name, Report report) {
    this.store = store;
    this.name = name;
    this.report = report;
  }

  private static List<String> flags(String heap) {
    return List.of("-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError");
  }

  /** Floods with so many keys in rounds; the node with room for all gets the share of them. */
  void run(int keys, int rounds, int share) throws IOException {
    try (Child few = node("256m", ROOM, BOUNDED);
        Child all = node("6g", 2 * keys, UNBOUNDED)) {
      double[] bounded = new double[rounds];
      double[] unbounded = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        bounded[i] = round(few, i, keys / rounds);
        unbounded[i] = round(all, i, keys / rounds / share);
        report.progress(
            String.format(Locale.ROOT, "%s: %.0f and %.0f keys/s", name, bounded[i], unbounded[i]));
      }
      tell(Samples.of(bounded), Samples.of(unbounded), few.ask("heap"));
    } catch (OutOfMemoryError error) {
      report.figure(name + ".out_of_memory", 1, "errors");
      report.figure(name + ".keys_per_s", 0, "per_s");
      report.figure(name + ".throughput_ratio", 0, "x");
      report.figure(name + ".heap_after", 0, "MiB");
    }
  }

  private Child node(String heap, int room, int network) throws IOException {
    Child child = Child.start(flags(heap), FloodChild.class, store, "" + room, "" + network);
    child.hear();
    return child;
  }

  // The first round warms up as well, for both alike.
  private static double round(Child node, int round, int keys) throws IOException {
    String range = round * keys + " " + (round + 1) * keys;
    String[] words = heard(node, range).split(" ");
    return keys / (Long.parseLong(words[0]) / 1e9);
  }

  private static String heard(Child node, String range) throws IOException {
    try {
      return node.ask(range);
    } catch (IllegalStateException ended) {
      if (node.exit() == OUT_OF_MEMORY) {
        throw (OutOfMemoryError) new OutOfMemoryError(range).initCause(ended);
      }
      throw ended;
    }
  }

  private void tell(Samples bounded, Samples unbounded, String heap) {
    report.figure(name + ".out_of_memory", 0, "errors");
    report.figure(name + ".keys_per_s", bounded, "per_s");
    report.figure(name + ".throughput_ratio", bounded.over(unbounded), "x");
    report.figure(name + ".heap_after", Long.parseLong(heap) / (double) MIB, "MiB");
  }
}
