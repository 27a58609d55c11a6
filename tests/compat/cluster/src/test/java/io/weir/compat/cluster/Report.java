package io.weir.compat.cluster;

import io.weir.compat.cluster.node.Sample;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The observations of several nodes. Immutable.
 *
 * @param samples all decisions, in the order of their nodes and threads
 * @param errors what was thrown at a caller
 * @param stuck how many threads didn't end
 */
record Report(List<Sample> samples, List<String> errors, int stuck) {
  /** Threads of different nodes get different numbers. */
  private static final int NODE = 1_000;

  static Report of(List<List<String>> replies) {
    List<Sample> samples = new ArrayList<>();
    List<String> errors = new ArrayList<>();
    int stuck = 0;
    for (int node = 0; node < replies.size(); node++) {
      for (String line : replies.get(node)) {
        String rest = line.substring(line.indexOf(' ') + 1);
        if (line.startsWith("sample ")) {
          samples.add(ofNode(node, Sample.parse(rest)));
        } else if (line.startsWith("error ")) {
          errors.add(rest);
        } else {
          stuck += Integer.parseInt(rest);
        }
      }
    }
    return new Report(List.copyOf(samples), List.copyOf(errors), stuck);
  }

  private static Sample ofNode(int node, Sample each) {
    return new Sample(
        each.before(),
        each.after(),
        node * NODE + each.thread(),
        each.key(),
        each.admitted(),
        each.degraded());
  }

  private Report only(Predicate<Sample> which) {
    return new Report(samples.stream().filter(which).toList(), errors, stuck);
  }

  Report admitted() {
    return only(Sample::admitted);
  }

  Report degraded() {
    return only(Sample::degraded);
  }

  Report exact() {
    return only(each -> !each.degraded());
  }

  /** The observations of one node, by its number. */
  Report ofNode(int node) {
    return only(each -> each.thread() / NODE == node);
  }

  Report ofKey(int key) {
    return only(each -> each.key() == key);
  }

  /** Requests sent at or after a moment and answered at or before another. */
  Report between(long from, long to) {
    return only(each -> each.before() >= from && each.after() <= to);
  }

  Report since(long from) {
    return between(from, Long.MAX_VALUE);
  }

  /** Requests in flight at some time between two moments. */
  Report during(long from, long to) {
    return only(each -> each.after() >= from && each.before() <= to);
  }

  int count() {
    return samples.size();
  }

  /** The threads that had a decision, of whichever node. */
  Set<Integer> threads() {
    Set<Integer> all = new LinkedHashSet<>();
    samples.forEach(each -> all.add(each.thread()));
    return all;
  }

  /** The longest wait, in microseconds. */
  long worstMicros() {
    return samples.stream().mapToLong(Sample::nanos).max().orElse(0) / 1_000;
  }

  /** The wait that half of the callers didn't exceed, in microseconds. */
  long medianMicros() {
    List<Long> waits = samples.stream().map(Sample::nanos).sorted().toList();
    return waits.isEmpty() ? 0 : waits.get(waits.size() / 2) / 1_000;
  }
}
