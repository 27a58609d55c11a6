package io.weir.testkit.mutants;

import java.util.Optional;
import java.util.function.LongFunction;

/** Runs a scenario for one seed after the other until it reports a violation. */
final class Hunt {
  /** A simulation that needs more seeds than this finds nothing that matters. */
  static final int MOST_SEEDS = 1_000;

  private Hunt() {}

  /** What was found, and with which seed. */
  record Catch(long seed, String violation) {}

  static Optional<Catch> in(World world, Scenario scenario, long seeds) {
    LongFunction<String> trial = world.scenario(scenario);
    for (long seed = 1; seed <= seeds; seed++) {
      String violation = trial.apply(seed);
      if (!violation.isEmpty()) {
        return Optional.of(new Catch(seed, violation));
      }
    }
    return Optional.empty();
  }
}
