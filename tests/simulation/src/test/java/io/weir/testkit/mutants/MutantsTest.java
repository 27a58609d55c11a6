package io.weir.testkit.mutants;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A simulation that catches nothing proves nothing: this one catches every mistake of the
 * catalogue, an eleventh of them each time, and nothing where no mistake was made. {@code -Pdeep}
 * makes all of them.
 */
@OneDayIn(2)
class MutantsTest {
  private final Map<Scenario, Long> tried = new EnumMap<>(Scenario.class);

  @TestFactory
  Stream<DynamicContainer> catchesEveryMistakeAndNothingElse() {
    Map<Scenario, List<Mutant>> byScenario = new EnumMap<>(Scenario.class);
    for (Mutant mutant : Seeds.today(Catalogue.all(), 11)) {
      byScenario.computeIfAbsent(mutant.scenario(), none -> new ArrayList<>()).add(mutant);
    }
    return byScenario.entrySet().stream()
        .map(each -> dynamicContainer(each.getKey().name(), tests(each.getKey(), each.getValue())));
  }

  /** Also those whose turn it isn't: their texts are in the sources, which compile with them. */
  @Test
  void everyMistakeCanBeMade() {
    List<Mutant> left = new ArrayList<>(Catalogue.all());
    while (!left.isEmpty()) {
      List<Mutant> together = new ArrayList<>();
      Map<String, String> texts = new TreeMap<>();
      for (Mutant each : left) {
        Map<String, String> changed = each.sources();
        if (Collections.disjoint(texts.keySet(), changed.keySet())) {
          together.add(each);
          texts.putAll(changed);
        }
      }
      compile(together, texts);
      left.removeAll(together);
    }
  }

  /** Compiles mistakes in different files together, and each alone if that fails. */
  private static void compile(List<Mutant> mutants, Map<String, String> texts) {
    try {
      assertFalse(Sources.compile(texts).isEmpty());
    } catch (AssertionError oneOfThem) {
      assertAll(
          mutants.stream()
              .map(
                  each ->
                      () -> assertFalse(Sources.compile(each.sources()).isEmpty(), each::name)));
    }
  }

  private Stream<DynamicTest> tests(Scenario scenario, List<Mutant> mutants) {
    List<DynamicTest> tests = new ArrayList<>();
    for (Mutant mutant : mutants) {
      tests.add(dynamicTest("catches: " + mutant.name(), () -> hunt(mutant)));
    }
    tests.add(dynamicTest("catches nothing without a mistake", () -> unmutated(scenario)));
    return tests.stream();
  }

  private void hunt(Mutant mutant) {
    Hunt.Catch caught = Hunt.of(mutant, Hunt.MAX_SEEDS).orElseThrow(() -> missed(mutant));
    tried.merge(mutant.scenario(), caught.seed(), Math::max);
    System.out.printf(
        Locale.ROOT,
        "mutant '%s' (%s): %s broken at seed %d%n",
        mutant.name(),
        mutant.scenario(),
        mutant.promise(),
        caught.seed());
  }

  private static AssertionError missed(Mutant mutant) {
    return new AssertionError(
        String.format(
            Locale.ROOT, "'%s' is not noticed in %d seeds", mutant.name(), Hunt.MAX_SEEDS));
  }

  /** The same seeds, in a world of its own like those of the mutants. */
  private void unmutated(Scenario scenario) {
    Optional<Hunt.Catch> caught =
        Hunt.in(World.right(), scenario, tried.getOrDefault(scenario, 1L));
    assertEquals(Optional.empty(), caught);
  }
}
