package io.weir.lincheck;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.weir.seeds.Seeds;
import java.util.regex.Pattern;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * Lets Lincheck search for an interleaving that breaks a structure, for a second or two; {@code
 * -Dweir.test.seeds=20} tries twenty times as many scenarios.
 *
 * <p>It lets two threads take turns, one switch after the other, which needs neither luck nor a
 * second processor. So small a search finds a mistake only if each scenario does little: a test
 * makes constant objects once, has few operations, and begins with those that conflict.
 */
public final class Interleavings {
  /** Of others, and right: each call counts as one step. */
  private static final Pattern TRUSTED =
      Pattern.compile("java[.]util[.]concurrent[.](Con|Completable).*");

  private Interleavings() {}

  /** Fails if answers differ from those of a model that one thread uses at a time. */
  public static void check(Class<?> used, Class<?> model) {
    small().sequentialSpecification(model).check(used);
  }

  /** Fails if the structure's own validation fails at the end, whatever was answered. */
  public static void check(Class<?> used) {
    small().verifier(EpsilonVerifier.class).check(used);
  }

  /** The same as {@link #check(Class)} of what takes many steps. */
  public static void checkLarge(Class<?> used) {
    large().verifier(EpsilonVerifier.class).check(used);
  }

  private static ModelCheckingOptions small() {
    return scenarios().iterations(Seeds.times(5, 10)).actorsPerThread(2);
  }

  // One operation in each thread, for of many steps only a few orders of two are tried.
  private static ModelCheckingOptions large() {
    return scenarios().iterations(Seeds.times(3, 6)).actorsPerThread(1);
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
