package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.algorithm;
import static io.weir.testkit.mutants.Catalogue.writeBack;

import java.util.List;

/** Mistakes with a period whose use is known. */
final class PeriodMistakes {
  private PeriodMistakes() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "claims don't carry what is known to be used",
            Scenario.BILLED,
            "limit",
            writeBack("lease/FastPath", "used = Math.max(used, known);", "")),
        new Mutant(
            "the store doesn't take what is known to be used",
            Scenario.BILLED,
            "limit",
            algorithm("CalendarCounter", "used = Math.max(used, Math.min(MAX_USED, known));", "")),
        new Mutant(
            "what was held of a period is spent after a data loss",
            Scenario.BILLED,
            "limit",
            writeBack("ActiveBucket", "holder.release();\n    holder.takeGiveBacks();", "")));
  }
}
