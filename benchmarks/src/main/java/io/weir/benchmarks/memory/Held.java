package io.weir.benchmarks.memory;

import io.weir.benchmarks.Child;
import io.weir.benchmarks.Heap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The heap that buckets of a node take.
 *
 * <p>Immutable.
 *
 * @param buckets how many
 * @param each bytes that one takes, beyond the characters of its key
 * @param kinds what lives then, the largest first
 */
record Held(int buckets, double each, List<Heap.Kind> kinds) {
  // The serial collector reports bytes, not regions.
  private static final List<String> FLAGS = List.of("-Xmx2g", "-XX:+UseSerialGC");

  /** Has another JVM measure it. */
  static Held measured(String store, int buckets, int flushMillis, String when) throws IOException {
    String[] arguments = {store, "" + buckets, "" + flushMillis, when};
    try (Child child = Child.start(FLAGS, HeldBucketsChild.class, arguments)) {
      double each = Double.parseDouble(child.hear());
      List<Heap.Kind> kinds = new ArrayList<>();
      for (String line = child.hear(); !line.isEmpty(); line = child.hear()) {
        String[] words = line.split(" ");
        kinds.add(new Heap.Kind(words[0], Long.parseLong(words[1]), Long.parseLong(words[2])));
      }
      return new Held(buckets, each, kinds);
    }
  }

  /** Of what that consists, for each bucket: what is at least a byte of it. */
  List<List<String>> rows() {
    return kinds.stream()
        .filter(kind -> kind.bytes() >= buckets)
        .map(
            kind ->
                List.of(
                    "`" + kind.name() + "`",
                    String.format(Locale.ROOT, "%.2f", kind.count() / (double) buckets),
                    String.format(Locale.ROOT, "%.1f", kind.bytes() / (double) buckets)))
        .toList();
  }
}
