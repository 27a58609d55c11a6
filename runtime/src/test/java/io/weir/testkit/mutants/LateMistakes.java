package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.writeBack;

import java.util.List;

/** What a node knows while the store is late, left unused. */
final class LateMistakes {
  private LateMistakes() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "what was granted doesn't count towards the share",
            Scenario.LATE,
            "share",
            writeBack("BucketLedger", "return granted.without(debtsCharged, now);", "return 0;")),
        new Mutant(
            "what a late answer tells is forgotten",
            Scenario.LATE,
            "late",
            writeBack(
                "ActiveBucket",
                "news = flight.number() > lastAnswered;",
                "news = !late && flight.number() > 0;")),
        new Mutant(
            "a node takes all of what the store had left",
            Scenario.LATE,
            "late",
            writeBack("FastPath", "- untold;", "+ 1_000;"),
            writeBack("BucketLedger", "return granted.without(debtsCharged, now);", "return 0;")));
  }
}
