package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.region;

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
                "charges.removeIf(each -> now >= each.until);",
                "charges.removeIf(each -> now >= each.until - 35_000_000);")),
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
            region("ChargesToReport", "each.owedBack -= permits; each.reported -= permits;", "")),
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
                "return Math.floorDiv(there + window / 2, window) * window;",
                "return there + window;")));
  }
}
