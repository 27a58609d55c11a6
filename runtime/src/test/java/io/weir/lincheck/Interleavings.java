package io.weir.lincheck;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * How long Lincheck looks for an interleaving that breaks something: a second or two, and {@code
 * -Dweir.test.seeds=20} tries twenty times as many scenarios.
 *
 * <p>It lets two threads take turns, one switch after the other, which needs no luck and no second
 * processor. So small a search finds what is broken only if little is made and done in each
 * scenario: a test makes what never changes once and for all, and has few operations.
 */
public final class Interleavings {
  private static final int FACTOR = Math.max(1, Integer.getInteger("weir.test.seeds", 1));

  /** Of others, and right: each call counts as one step. */
  private static final String[] TRUSTED = {
    "java.util.concurrent.ConcurrentLinkedQueue", "java.util.concurrent.CompletableFuture"
  };

  private Interleavings() {}

  /** Fails if answers differ from those of a model that one thread uses at a time. */
  public static void check(Class<?> used, Class<?> model) {
    options().sequentialSpecification(model).check(used);
  }

  /** Fails if the structure's own validation does when all is over, whatever was answered. */
  public static void check(Class<?> used) {
    options().verifier(EpsilonVerifier.class).check(used);
  }

  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(5 * FACTOR)
        .invocationsPerIteration(100)
        .addGuarantee(forClasses(TRUSTED).allMethods().treatAsAtomic());
  }
}
