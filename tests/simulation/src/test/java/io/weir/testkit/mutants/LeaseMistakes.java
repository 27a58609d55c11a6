package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.algorithm;
import static io.weir.testkit.mutants.Catalogue.writeBack;
import static io.weir.testkit.mutants.Scenario.FLICKER_FIXED;
import static io.weir.testkit.mutants.Scenario.FLICKER_LOG;
import static io.weir.testkit.mutants.Scenario.FLICKER_SLIDING;
import static io.weir.testkit.mutants.Scenario.FLICKER_TOKEN;

import java.util.ArrayList;
import java.util.List;

/** The protocol of leases without one of its rules, where that admits too much. */
final class LeaseMistakes {
  private LeaseMistakes() {}

  static List<Mutant> all() {
    List<Mutant> all = new ArrayList<>();
    for (Scenario scenario :
        List.of(FLICKER_FIXED, FLICKER_SLIDING, FLICKER_LOG, Scenario.HELD_TOKEN)) {
      all.add(
          new Mutant(
              "life counted from the reply, " + scenario,
              scenario,
              scenario == Scenario.HELD_TOKEN ? "ledger" : "limit", // less than tokens' slack
              writeBack(
                  "ClaimingBucket",
                  "NodeClock.after(batch.sentAt(), DriftMargin",
                  "NodeClock.after(now, DriftMargin")));
    }
    for (Scenario scenario :
        List.of(
            Scenario.SILENT_FIXED,
            Scenario.SILENT_SLIDING,
            Scenario.SILENT_LOG,
            Scenario.SILENT_TOKEN)) {
      all.add(
          new Mutant(
              "give-backs repeated after a time-out, " + scenario,
              scenario,
              scenario == Scenario.SILENT_TOKEN ? "ledger" : "limit", // the same
              writeBack(
                  "ClaimingBucket",
                  "long mayComeUntil =",
                  "holder.again(sent.claim.giveBacks()); long mayComeUntil ="),
              writeBack(
                  "lease/LeaseHolder",
                  "public boolean hasGiveBacks() {",
                  "public void again(List<GiveBack> sent) {"
                      + " sent.forEach(each -> giveBacks.add(each.stamp(), each.permits())); }"
                      + " public boolean hasGiveBacks() {")));
    }
    all.addAll(stamps());
    all.addAll(slots());
    return all;
  }

  private static List<Mutant> stamps() {
    String name = "give-backs credited whatever their stamp, ";
    String newest = "if (!charges.isEmpty()) { charges.take(charges.newest(), permits); }";
    return List.of(
        new Mutant(
            name + "fixed",
            FLICKER_FIXED,
            "limit",
            algorithm("FixedWindow", "if (slot == number)", "if (slot <= number)")),
        new Mutant(
            name + "sliding",
            FLICKER_SLIDING,
            "limit",
            algorithm("SlidingWindow", "charges.take(slot, permits);", newest)),
        new Mutant(
            name + "log",
            FLICKER_LOG,
            "limit",
            algorithm("SlidingLog", "charges.take(stamp, permits);", newest)),
        new Mutant(
            name + "token",
            Scenario.HELD_STALE,
            "limit",
            algorithm(
                "LevelBucket", "level -= creditable.take(stamp, permits);", "level -= permits;")),
        new Mutant(
            "a lease outlives its slot",
            FLICKER_FIXED,
            "limit",
            writeBack(
                "lease/Lease",
                "long spend(long wanted, long now) { if (now >= endsAt) {",
                "long spend(long wanted, long now) { if (now == Long.MAX_VALUE) {")));
  }

  private static List<Mutant> slots() {
    return List.of(
        new Mutant(
            "charged at the grant, sliding",
            FLICKER_SLIDING,
            "limit",
            algorithm(
                "SlidingWindow",
                "charges.put(slot, permits);",
                "charges.put(slots.at(lastClaimAt()), permits);")),
        new Mutant(
            "charged at the grant, log",
            Scenario.HELD_LOG,
            "limit",
            algorithm(
                "SlidingLog",
                "charges.add(charged, permits);",
                "charges.add(lastClaimAt(), permits);")),
        new Mutant(
            "charged at the grant, token",
            FLICKER_TOKEN,
            "limit",
            algorithm(
                "LevelBucket",
                "long time = minLife() == 0 ? visible : end;",
                "long time = visible;")),
        new Mutant(
            "what drained ahead isn't deducted, token",
            Scenario.HELD_STALE,
            "limit",
            algorithm(
                "LevelBucket",
                "long excess = ahead + (parts + aheadParts + window - 1) / window;",
                "long excess = (parts + window - 1) / window;")),
        new Mutant(
            "what drained ahead is forgotten at once, token",
            Scenario.HELD_STALE,
            "limit",
            algorithm("LevelBucket", "if (at <= time) {", "if (at <= time + slot) {")),
        new Mutant(
            "a lease lasts one slot longer, fixed",
            FLICKER_FIXED,
            "limit",
            algorithm(
                "FixedWindow",
                "long life(long now) { return (number + 1) * window - now;",
                "long life(long now) { return (number + 2) * window - now;")),
        new Mutant(
            "a lease lasts one slot longer, sliding",
            FLICKER_SLIDING,
            "limit",
            algorithm(
                "SlidingWindow",
                "return slots.start(charged + 1) - now;",
                "return slots.start(charged + 2) - now;")),
        new Mutant(
            "a lease lasts one slot longer, log",
            FLICKER_LOG,
            "limit",
            algorithm(
                "SlidingLog",
                "return charged - now;",
                "return charged - now + slots.window() / slots.count();")));
  }
}
