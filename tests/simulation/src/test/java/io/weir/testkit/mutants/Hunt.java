package io.weir.testkit.mutants;

import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/** Runs a scenario for one seed after the other until a promise is seen to be broken. */
final class Hunt {
  /** A simulation that needs more seeds than this finds nothing that matters. */
  static final int MAX_SEEDS = 1_000;

  private Hunt() {}

  /** A broken promise, and the seed that showed it. */
  record Catch(long seed, List<String> violations) {
    boolean breaks(String promise) {
      return violations.stream().anyMatch(each -> each.startsWith(promise + ":"));
    }
  }

  /** The first seed that shows anything wrong. */
  static Optional<Catch> in(World world, Scenario scenario, long seeds) {
    LongFunction<List<String>> trial = world.scenario(scenario);
    for (long seed = 1; seed <= seeds; seed++) {
      List<String> violations = trial.apply(seed);
      if (!violations.isEmpty()) {
        return Optional.of(new Catch(seed, violations));
      }
    }
    return Optional.empty();
  }

  /** The first seed that shows this promise broken. */
  static Optional<Catch> of(Mutant mutant, long seeds) {
    LongFunction<List<String>> trial = World.with(mutant).scenario(mutant.scenario());
    for (long seed = 1; seed <= seeds; seed++) {
      Catch found = new Catch(seed, trial.apply(seed));
      if (found.breaks(mutant.promise())) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }
}
