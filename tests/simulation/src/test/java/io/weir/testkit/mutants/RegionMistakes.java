package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.region;
import static io.weir.testkit.mutants.Catalogue.writeBack;

import java.util.List;

/** Mistakes of what regions report to each other. */
final class RegionMistakes {
  private RegionMistakes() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "a batch that isn't answered isn't sent again",
            Scenario.REGIONS_CUT_SLIDING,
            "regions",
            region("RegionReporter", "doubtful.restore();", "")),
        new Mutant(
            "use is dropped early",
            Scenario.REGIONS_CUT_SLIDING,
            "regions",
            region(
                "ChargesToReport",
                "charges.removeIf(each -> isOver.test(each.until));",
                "charges.removeIf(each -> isOver.test(each.until - 35_000_000));")),
        new Mutant(
            "single permits aren't reported",
            Scenario.REGIONS_CUT_SLIDING,
            "regions",
            region("ReportedBucket", "if (grant.permits() > 0) {", "if (grant.permits() > 1) {")),
        new Mutant(
            "half of what waits is dropped",
            Scenario.REGIONS_CUT_LEVEL,
            "regions",
            region(
                "ChargesToReport",
                "parts.add(new Part(each.isNamed, each.stamp, each.until, each.unsent));",
                "parts.add(new Part(each.isNamed, each.stamp, each.until, (each.unsent + 1) / 2));")),
        new Mutant(
            "what comes back is given back twice",
            Scenario.REGIONS_REFUNDED,
            "regions",
            region(
                "ChargesToReport",
                "backs.add(new GiveBack(itsStamp, permits));",
                "backs.add(new GiveBack(itsStamp, permits));"
                    + " backs.add(new GiveBack(itsStamp, permits));")),
        new Mutant(
            "twice as much is taken off as comes back",
            Scenario.REGIONS_REFUNDED,
            "regions",
            region(
                "ChargesToReport",
                "charge.owedBack += permits;",
                "charge.owedBack += 2 * permits;")),
        new Mutant(
            "two intervals pass between reports",
            Scenario.REGIONS_STEADY,
            "lag",
            region(
                "RegionReporter",
                "scheduler.runAfter(interval, this::tick); // first",
                "scheduler.runAfter(2 * interval, this::tick); // first")),
        new Mutant(
            "what the own store gets again is reported as use",
            Scenario.REGIONS_WIPED,
            "use",
            region(
                "ReportedBucket",
                "long debt = claim.debt() - claim.lostDebt();",
                "long debt = claim.debt();"),
            region(
                "RegionReports",
                "long used = grant.permits() + claim.debt() - claim.lostDebt();",
                "long used = grant.permits() + claim.debt();")),
        new Mutant(
            "a report is charged to the next window",
            Scenario.REGIONS_EDGE,
            "use",
            region(
                "ReportedBucket",
                "(Math.floorDiv(open, window) + 1) * window;",
                "clock.of(until) + window;")),
        new Mutant(
            "what comes back is never given back elsewhere",
            Scenario.REGIONS_LOGINS,
            "counts",
            region("ChargesToReport", "each.takeGiveBacks(backs);", "")),
        new Mutant(
            "it is given back by the own store's stamp",
            Scenario.REGIONS_LOGINS,
            "counts",
            region("ReportedBucket", "report.parts(), grant.stamp()", "report.parts(), 0")),
        new Mutant(
            "only the last stamp is remembered that the other store has named",
            Scenario.REGIONS_LOGINS,
            "counts",
            region(
                "ChargesToReport",
                "later.add(new GiveBack(stampThere, permits));",
                "itsStamp = stampThere; itsPermits = permits;")),
        new Mutant(
            "few stamps of the own store are remembered",
            Scenario.REGIONS_LOGINS,
            "counts",
            region(
                "ChargesToReport",
                "static final int MAX_STAMPS = 16;",
                "static final int MAX_STAMPS = 4;")),
        new Mutant(
            "callers of right logins are refused by what was never given back",
            Scenario.REGIONS_LOGINS,
            "refused",
            region("ChargesToReport", "charge.owedBack += permits;", "")),
        new Mutant(
            "what comes back of more than two slots at once is lost",
            Scenario.REGIONS_LOGINS,
            "counts",
            writeBack("lease/PendingGiveBacks", "int SLOTS = 64;", "int SLOTS = 2;")),
        new Mutant(
            "what was used during a cut is reported only in part",
            Scenario.REGIONS_MINUTE,
            "counts",
            region(
                "ChargesToReport",
                "merged.unsent = one.unsent + other.unsent;",
                "merged.unsent = one.unsent;"),
            region(
                "ChargesToReport",
                "static final int MAX_STAMPS = 16;",
                "static final int MAX_STAMPS = 2;")),
        new Mutant(
            "a debt's end is named by the node's own clock",
            Scenario.REGIONS_APART_SLIDING,
            "regions",
            region(
                "RegionClock", "ahead = answer.storeClock() - (sentAt + (now - sentAt) / 2);", "")),
        new Mutant(
            "windows of the other store are taken to end with the own ones",
            Scenario.REGIONS_APART_FIXED,
            "regions",
            region(
                "ReportedBucket",
                "(Math.floorDiv(open, window) + 1) * window;",
                "Math.floorDiv(clock.of(until) + window / 2, window) * window;")),
        new Mutant(
            "use is dropped when the own window ends, though another one runs elsewhere",
            Scenario.REGIONS_APART_FIXED,
            "regions",
            region(
                "ReportedBucket",
                "regions[region].expire(until -> now >= until && isOver(region, until, now));",
                "regions[region].expire(until -> now >= until);")),
        new Mutant(
            "a debt that a clock set forward has ignored isn't sent again",
            Scenario.REGIONS_SET,
            "counts",
            region("RegionReporter", "return claim.debt() > 0", "return claim.debt() < 0")));
  }
}
