package io.weir.benchmarks.http;

import io.weir.benchmarks.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Rounds of the same server and load, with Weir and without, in turns.
 *
 * <p>Confine to one thread.
 */
final class Rounds {
  private final List<Round> without = new ArrayList<>();
  private final List<Round> with = new ArrayList<>();

  /** Adds a pair. */
  void add(Round plain, Round limited) {
    without.add(plain);
    with.add(limited);
  }

  Samples without(ToDoubleFunction<Round> what) {
    return of(without, what);
  }

  Samples with(ToDoubleFunction<Round> what) {
    return of(with, what);
  }

  /** What Weir adds, pair by pair. */
  Samples added(ToDoubleFunction<Round> what) {
    return with(what).minus(without(what));
  }

  /** How many times as much it is with Weir, pair by pair. */
  Samples ratio(ToDoubleFunction<Round> what) {
    return with(what).over(without(what));
  }

  private static Samples of(List<Round> rounds, ToDoubleFunction<Round> what) {
    return Samples.of(rounds.stream().mapToDouble(what).toArray());
  }
}
