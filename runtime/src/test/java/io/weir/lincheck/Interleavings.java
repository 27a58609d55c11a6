package io.weir.lincheck;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.weir.seeds.Seeds;
import java.util.regex.Pattern;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * How long Lincheck looks for an interleaving that breaks something: a second or two, and {@code
 * -Dweir.test.seeds=20} tries twenty times as many scenarios.
 *
 * <p>It lets two threads take turns, one switch after the other, which needs no luck and no second
 * processor. So small a search finds what is broken only if little is made and done in each
 * scenario: a test makes what never changes once and for all, has few operations, and begins with
 * what makes them meet.
 */
public final class Interleavings {
  /** Of others, and right: each call counts as one step. */
  private static final Pattern TRUSTED =
      Pattern.compile(
          "java[.]util[.]concurrent[.](Con|Completable).*|io[.]github[.]resilience4j[.].*");

  private Interleavings() {}

  /** Fails if answers differ from those of a model that one thread uses at a time. */
  public static void check(Class<?> used, Class<?> model) {
    small().sequentialSpecification(model).check(used);
  }

  /** Fails if the structure's own validation does when all is over, whatever was answered. */
  public static void check(Class<?> used) {
    small().verifier(EpsilonVerifier.class).check(used);
  }

  /** The same as {@link #check(Class)} of what takes many steps. */
  public static void checkLarge(Class<?> used) {
    large().verifier(EpsilonVerifier.class).check(used);
  }

  private static ModelCheckingOptions small() {
    return scenarios().iterations(Seeds.times(10)).actorsPerThread(2);
  }

  // One operation in each thread, for of many steps only a few orders of two are tried.
  private static ModelCheckingOptions large() {
    return scenarios().iterations(Seeds.times(6)).actorsPerThread(1);
  }

  private static ModelCheckingOptions scenarios() {
    return new ModelCheckingOptions()
        .threads(2)
        .actorsBefore(0)
        .actorsAfter(1)
        .invocationsPerIteration(60)
        .addGuarantee(
            forClasses(name -> TRUSTED.matcher(name).matches()).allMethods().treatAsAtomic());
  }
}
