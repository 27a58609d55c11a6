package io.weir.benchmarks.http;

import io.weir.benchmarks.Samples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The results of each load, one for each process of a server.
 *
 * <p>Confine to one thread.
 */
final class Measured {
  private final List<Map<HttpLoad, Round>> processes = new ArrayList<>();

  /** Adds what a process came to: of its rounds, which took turns, the one in the middle. */
  void add(Map<HttpLoad, List<Round>> rounds) {
    Map<HttpLoad, Round> medians = new EnumMap<>(HttpLoad.class);
    rounds.forEach((load, all) -> medians.put(load, median(all)));
    processes.add(medians);
  }

  private static Round median(List<Round> rounds) {
    return new Round(
        median(rounds, Round::cpuMicros),
        median(rounds, Round::bytes),
        median(rounds, Round::perSecond),
        median(rounds, Round::p99Micros));
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> what) {
    return Samples.of(rounds.stream().mapToDouble(what).toArray()).median();
  }

  /** Returns one for each process. */
  Samples of(HttpLoad load, ToDoubleFunction<Round> what) {
    return Samples.of(
        processes.stream().mapToDouble(each -> what.applyAsDouble(each.get(load))).toArray());
  }

  /** Returns the cost of a load beyond a request without Weir, process by process. */
  Samples added(HttpLoad load, ToDoubleFunction<Round> what) {
    return of(load, what).minus(of(HttpLoad.FREE, what));
  }
}
