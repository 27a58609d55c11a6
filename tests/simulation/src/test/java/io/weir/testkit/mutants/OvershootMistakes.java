package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.writeBack;

import java.util.List;

/** Admitting ahead of the store without one of its rules. */
final class OvershootMistakes {
  private OvershootMistakes() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "the newest share instead of the least",
            Scenario.AHEAD_JOINED,
            "overshoot",
            writeBack(
                "debt/OvershootShareHistory",
                "return Math.min(share, each.share());",
                "return share;")),
        new Mutant(
            "the share for each claim instead of once in a window",
            Scenario.AHEAD_AGAIN,
            "overshoot",
            writeBack("debt/BorrowedPermits", "if (at == Long.MIN_VALUE || isOver(now)) {", "{")),
        new Mutant(
            "what was borrowed is forgotten when its bucket is evicted",
            Scenario.AHEAD_FLOODED,
            "overshoot",
            writeBack("debt/BucketLedger", "allowance.remember(bucket, borrowed.at());", "")),
        new Mutant(
            "what was borrowed is never reported",
            Scenario.AHEAD_AGAIN,
            "untold",
            writeBack("debt/BucketLedger", "if (borrows) { owe(request, now); }", "")),
        new Mutant(
            "an evicted bucket forgets what it owes",
            Scenario.AHEAD_THRONG,
            "untold",
            writeBack(
                "ActiveBucket",
                "kept = tells && context.backlog().keeps(ledger.owes());",
                "kept = false;")),
        new Mutant(
            "heartbeats of few nodes as seldom as those of many, and shares for as long",
            Scenario.MANY_HELD,
            "overshoot",
            writeBack(
                "debt/OvershootShareHistory",
                "LeasingStore.membershipMicros(answer.live())",
                "LeasingStore.MAX_MEMBERSHIP_MICROS"),
            writeBack(
                "Heartbeat",
                "LeasingStore.membershipMicros(lastLive) / LeasingStore.REMEMBERED_HEARTBEATS",
                "LeasingStore.MAX_MEMBERSHIP_MICROS / LeasingStore.REMEMBERED_HEARTBEATS")),
        new Mutant(
            "no parts of a limit for nodes that the others haven't heard of",
            Scenario.MANY_JOINED,
            "local",
            writeBack("Heartbeat", "nodes + (nodes + 3) / 4", "nodes")));
  }
}
