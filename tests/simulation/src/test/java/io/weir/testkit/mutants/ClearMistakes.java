package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.algorithm;

import java.util.List;

/** Clearing without one of its rules. */
final class ClearMistakes {
  private ClearMistakes() {}

  static List<Mutant> all() {
    return List.of(
        mistake(
            "a success clears what failed after it began",
            "each.failed > 0 && each.failedAfter < stamp",
            "each.failed > 0"),
        mistake(
            "a success frees guesses that are still running",
            "used -= each.failed;\n        each.failed = 0;",
            "used -= each.failed + each.running;\n        each.failed = 0;\n"
                + "        each.running = 0;"),
        mistake(
            "what was cleared is credited again",
            "long credited = Math.min(each.running, back.permits());\n"
                + "        each.running -= credited;",
            "long credited = Math.min(used, back.permits());\n"
                + "        each.running -= Math.min(each.running, credited);"),
        mistake(
            "a failure that is reported twice counts twice",
            "each.fail(Math.min(each.running, back.spent()), lastStamp);",
            "each.fail(Math.min(each.running, back.spent()), lastStamp);\n"
                + "        each.failed += each.running == 0 ? back.spent() : 0;"),
        mistake(
            "grants of one moment share a stamp",
            "nextStamp = Math.max(now + minLife(), lastStamp + 1);",
            "nextStamp = now + minLife();"));
  }

  private static Mutant mistake(String name, String text, String instead) {
    return new Mutant(name, Scenario.CLEARED, "cleared", algorithm("AttemptLog", text, instead));
  }
}
