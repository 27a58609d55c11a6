package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.writeBack;

import java.util.List;

/** The protocol of leases without one of its rules, where that wastes permits or exchanges. */
final class CostMistakes {
  private CostMistakes() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "refusals not remembered",
            Scenario.REFUSED,
            "exchanges",
            writeBack(
                "lease/CachedAnswers",
                "if (grant.retry() > 0 && !goesBack) {",
                "if (grant.retry() < 0) {")),
        new Mutant(
            "nothing ahead of requests",
            Scenario.HOT,
            "exchanges",
            writeBack("lease/LeaseSizer", "return extra < 2 ? 0 : extra;", "return 0;")),
        new Mutant(
            "nothing need be earned",
            Scenario.SLOW,
            "exchanges",
            writeBack("lease/DemandMeter", "int EARNS = 10;", "int EARNS = 0;")),
        new Mutant(
            "late answers thrown away",
            Scenario.SPIKES_FIXED,
            "use",
            writeBack(
                "ClaimingBucket",
                "long stamp = holder.add(",
                "long stamp = late ? 0 : holder.add(")),
        new Mutant(
            "nothing is given back",
            Scenario.SPIKES_FIXED,
            "use",
            writeBack("lease/PendingGiveBacks", "if (permits + spent <= 0) {", "if (true) {")),
        new Mutant(
            "idle permits are kept",
            Scenario.IDLE,
            "idle",
            writeBack(
                "lease/LeaseSizer",
                "return demand.quiet() >= horizon",
                "return demand.quiet() < 0 && 0 >= horizon")));
  }
}
