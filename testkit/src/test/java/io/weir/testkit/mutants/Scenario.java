package io.weir.testkit.mutants;

import java.util.function.LongFunction;

/**
 * A small simulation in which some mistake shows fast: from a seed to the violation that was seen,
 * or to an empty text.
 *
 * <p>Each world has its own; nothing but the seed goes in, nothing but text comes out.
 */
enum Scenario implements LongFunction<String> {
  /** The arithmetic alone: grants of one bucket, each spent as late as its life allows. */
  SPENT_LATE(SpentLate::run);

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a static method
  private final LongFunction<String> run;

  Scenario(LongFunction<String> run) {
    this.run = run;
  }

  @Override
  public String apply(long seed) {
    return run.apply(seed);
  }
}
