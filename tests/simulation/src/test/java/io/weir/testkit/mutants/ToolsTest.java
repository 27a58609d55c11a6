package io.weir.testkit.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The tools that hunt mutants must themselves be able to fail. */
class ToolsTest {
  private static final String FILE = "io/weir/internal/algorithm/SlidingWindow.java";
  private static final Mutant TOO_LONG =
      mutant("return slots.start(charged + 1) - now;", "return slots.start(charged + 2) - now;");

  private static Mutant mutant(String text, String instead) {
    return new Mutant("try", Scenario.SPENT_LATE, "limit", new Edit(FILE, text, instead));
  }

  @Test
  void catchesAMistakeAndLeavesTheWorldOutsideAsItWas() {
    Hunt.Catch caught = Hunt.of(TOO_LONG, 100).orElseThrow();
    assertTrue(caught.breaks("limit"));
    assertEquals(Optional.empty(), Hunt.in(World.right(), Scenario.SPENT_LATE, 100));
    assertEquals(List.of(), Scenario.SPENT_LATE.apply(caught.seed()));
  }

  @Test
  void saysSoWhenTheTextIsGoneOrThereTwice() {
    String gone =
        assertThrows(AssertionError.class, () -> World.with(mutant("wier", ""))).getMessage();
    assertTrue(gone.contains("occurs 0 times in " + FILE), gone);
    Mutant ambiguous = mutant("@Override", "");
    String twice = assertThrows(AssertionError.class, () -> World.with(ambiguous)).getMessage();
    assertTrue(twice.matches("(?s).*occurs \\d+ times in " + FILE + ".*"), twice);
  }

  @Test
  void findsATextHoweverItIsBroken() {
    Mutant broken = mutant("long life(long now)\n{\n\n return", "long life(long now) { return 2 *");
    assertTrue(broken.sources().get(FILE).contains("{ return 2 * slots.start"));
  }

  @Test
  void takesAMistakeThatDoesNotCompileForNoCatch() {
    Mutant nonsense = mutant("slots.start(charged + 1) - now", "slots.begin(charged) - now");
    String told = assertThrows(AssertionError.class, () -> World.with(nonsense)).getMessage();
    assertTrue(told.contains("doesn't compile") && told.contains("begin"), told);
  }
}
