package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.algorithm;
import static io.weir.testkit.mutants.Catalogue.writeBack;
import static io.weir.testkit.mutants.Scenario.SELDOM_FIXED;
import static io.weir.testkit.mutants.Scenario.SELDOM_FRUGAL;
import static io.weir.testkit.mutants.Scenario.SELDOM_LOWERED;
import static io.weir.testkit.mutants.Scenario.SELDOM_REFUNDED;
import static io.weir.testkit.mutants.Scenario.SELDOM_SLIDING;

import java.util.ArrayList;
import java.util.List;

/**
 * Far leases without one of their rules. Where that admits too much, half of the limit is lent, and
 * the last quarter too: with the real bounds small mistakes hide.
 */
final class FarMistakes {
  private FarMistakes() {}

  static List<Mutant> all() {
    List<Mutant> all = new ArrayList<>();
    all.add(
        wild(
            "a far lease is charged as a near one",
            SELDOM_SLIDING,
            algorithm("LendingWindow", "charge(slot, permits); far =", "charge(permits); far =")));
    all.add(
        wild(
            "a far lease outlives its window",
            SELDOM_FIXED,
            algorithm(
                "FixedWindow",
                "return Math.min(OutstandingFarLeases.life(window), life(now));",
                "return OutstandingFarLeases.life(window);")));
    all.add(
        wild(
            "a far lease lasts one slot longer",
            SELDOM_SLIDING,
            algorithm(
                "SlidingWindow",
                "return slots.start(slot + 1) - now;",
                "return slots.start(slot + 2) - now;")));
    for (Scenario scenario : List.of(SELDOM_FIXED, SELDOM_SLIDING)) {
      all.add(
          wild(
              "life of a far lease counted from the reply, " + scenario,
              scenario,
              "ledger",
              writeBack(
                  "ClaimingBucket",
                  "NodeClock.after(batch.sentAt(), DriftMargin",
                  "NodeClock.after(now, DriftMargin")));
      all.add(
          wild(
              "what is left of far leases is sent again after a time-out, " + scenario,
              scenario,
              writeBack(
                  "ClaimingBucket",
                  "long mayComeUntil =",
                  "holder.again(sent.claim.giveBacks()); long mayComeUntil ="),
              writeBack(
                  "lease/LeaseHolder",
                  "public boolean hasGiveBacks() {",
                  "public void again(List<GiveBack> sent) { sent.forEach(each ->"
                      + " farGiveBacks.add(each.stamp(), each.permits(), each.spent())); }"
                      + " public boolean hasGiveBacks() {")));
    }
    all.add(
        wild(
            "what is left of a far lease is credited to a later window",
            SELDOM_FIXED,
            algorithm("FixedWindow", "if (slot == number)", "if (slot <= number)")));
    all.add(
        wild(
            "what is left of a far lease is credited to the newest slot",
            SELDOM_SLIDING,
            algorithm(
                "SlidingWindow",
                "charges.take(slot, permits);",
                "if (!charges.isEmpty()) { charges.take(charges.newest(), permits); }")));
    all.addAll(atRest());
    all.addAll(lowered());
    all.addAll(reports());
    all.addAll(costs());
    return all;
  }

  private static List<Mutant> atRest() {
    return List.of(
        wild(
            "a bucket at rest spends its lease after the end",
            SELDOM_SLIDING,
            writeBack(
                "lease/PackedFarLease", "return now < endsAt() ? left() : 0;", "return left();")),
        wild(
            "what was spent at rest is still there",
            SELDOM_SLIDING,
            writeBack("lease/PackedFarLease", "packed -= permits << LEFT_AT;", "")));
  }

  private static List<Mutant> lowered() {
    return List.of(
        new Mutant(
            "a far lease in use serves a lower limit than it was granted under",
            SELDOM_LOWERED,
            "limit",
            writeBack("lease/Lease", "return farLimit <= terms.limit();", "return true;")),
        new Mutant(
            "a far lease at rest serves a lower limit than it was granted under",
            SELDOM_LOWERED,
            "limit",
            writeBack("CachedBucket", "extras().farLimit() <= terms.limit()", "true")));
  }

  private static List<Mutant> reports() {
    return List.of(
        wild(
            "what was spent is reported twice",
            SELDOM_SLIDING,
            writeBack(
                "lease/LeaseHolder",
                "farSizer.ended(old.farSize(), left);",
                "farGiveBacks.add(FarLeaseStamp.inStore(old.stamp()), 0, spent);"
                    + " farSizer.ended(old.farSize(), left);")),
        wild(
            "what was spent counts as spent before now",
            SELDOM_SLIDING,
            algorithm(
                "SlidingWindow",
                "charges.put(charged, charges.take(slot, spent));",
                "charges.put(slots.at(lastClaimAt()) - 4, charges.take(slot, spent));")),
        wild(
            "what was reported as spent is given back all the same",
            SELDOM_REFUNDED,
            "ledger",
            writeBack(
                "lease/LeaseHolder",
                "farSizer.refundedTooLate(now); // the store counts them as spent, in an unknown slot",
                "farGiveBacks.add(FarLeaseStamp.inStore(stamp), permits);")));
  }

  private static List<Mutant> costs() {
    return List.of(
        new Mutant(
            "what was spent is never reported",
            SELDOM_FRUGAL,
            "exchanges",
            writeBack(
                "lease/LeaseHolder",
                "farGiveBacks.add(FarLeaseStamp.inStore(old.stamp()), left, spent);",
                "farGiveBacks.add(FarLeaseStamp.inStore(old.stamp()), left, 0 * spent);")),
        new Mutant(
            "far leases don't grow",
            SELDOM_FRUGAL,
            "exchanges",
            writeBack(
                "lease/FarLeaseSizer",
                "Math.max(fewest(limits.effectiveLimit()), served);",
                "MIN_PERMITS;")),
        new Mutant(
            "a bucket at rest forgets its far lease",
            SELDOM_FRUGAL,
            "exchanges",
            writeBack(
                "CachedBucket",
                "context.rarities().of(history.borrowed(), packed ? null : lease, limit);",
                "pack(null) ? null : RestingExtras.NONE;")));
  }

  private static Mutant wild(String name, Scenario scenario, Edit... mistake) {
    return wild(name, scenario, "limit", mistake);
  }

  private static Mutant wild(String name, Scenario scenario, String promise, Edit... mistake) {
    List<Edit> edits = new ArrayList<>(List.of(mistake));
    edits.add(
        algorithm(
            "OutstandingFarLeases",
            "return Math.max(limit / 16, Math.min(12, limit / 8));",
            "return limit / 2;"));
    edits.add(algorithm("BucketState", "long quarter = (most() + 3) / 4;", "long quarter = 0;"));
    edits.add(
        writeBack("lease/FarLeaseSizer", "lowAt = now; } }", "lowAt = RestingLease.LONG_AGO; } }"));
    return new Mutant(name, scenario, promise, edits);
  }
}
