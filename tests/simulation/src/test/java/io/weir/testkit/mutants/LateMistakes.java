package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.writeBack;

import java.util.List;

/** Ways not to use what a node knows while the store is late. */
final class LateMistakes {
  private LateMistakes() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "what was granted doesn't count towards the share",
            Scenario.LATE,
            "share",
            writeBack("debt/BucketLedger", "return charged.granted(now);", "return 0;")),
        new Mutant(
            "the content of a late answer is ignored",
            Scenario.LATE,
            "late",
            writeBack(
                "ClaimingBucket",
                "newest = claims.isNewest(sent.number);",
                "newest = !late && sent.number > 0;")),
        new Mutant(
            "a node takes all of what the store had left",
            Scenario.LATE,
            "late",
            writeBack("lease/FastPath", "- unconfirmed;", "+ 1_000;"),
            writeBack("debt/BucketLedger", "return charged.granted(now);", "return 0;")));
  }
}
