package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.algorithm;
import static io.weir.testkit.mutants.Catalogue.writeBack;

import java.util.List;

/** The bugs that other write-back limiters have had. */
final class WriteBackMistakes {
  private WriteBackMistakes() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "what is spent during a claim is wiped by its answer",
            Scenario.HOT,
            "ledger",
            writeBack(
                "lease/LeaseHolder",
                "public List<GiveBack> takeGiveBacks() {",
                "private long before; public List<GiveBack> takeGiveBacks() { before ="
                    + " lease().permits();"),
            writeBack(
                "lease/LeaseHolder",
                "private void addTo(Lease held, long permits, long endsAt, long now) {",
                "private void addTo(Lease held, long permits, long endsAt, long now) {"
                    + " permits += Math.max(0, before - held.permits());")),
        new Mutant(
            "a failed flush drops its debts",
            Scenario.AWAY_SHORTER,
            "forgotten",
            writeBack("debt/BucketLedger", "debts.restore(sent.debts());", "")),
        new Mutant(
            "debts of an old window are charged to the new one, fixed",
            Scenario.AWAY_FIXED,
            "use",
            writeBack("debt/Debts", "debts.removeIf(each -> now >= each.until());", "")),
        new Mutant(
            "debts of an old window are charged to the new one, sliding",
            Scenario.AWAY_SLIDING,
            "use",
            writeBack("debt/Debts", "debts.removeIf(each -> now >= each.until());", "")),
        new Mutant(
            "one odd error kills the flusher",
            Scenario.ODD,
            "idle",
            writeBack("channel/PartitionBatch", "arrived(null, broken);", "throw broken;"),
            writeBack(
                "channel/PartitionChannel",
                "listener.failed(mistake); // what is queued",
                "throw mistake; // what is queued"),
            writeBack(
                "WriteBackFlusher",
                "checkEpochs(); } finally { next();",
                "checkEpochs(); next(); } finally {")),
        new Mutant(
            "the tail of a key that goes idle is never flushed",
            Scenario.IDLE,
            "idle",
            writeBack(
                "ActiveBucket",
                "boolean givesBack = isEvicted() || sizer.idle(snapshot());",
                "if (!isEvicted() && demand.quiet() > 0) { return leave(now); }"
                    + " boolean givesBack = isEvicted() || sizer.idle(snapshot());")),
        new Mutant(
            "a refusal is remembered although others have given back",
            Scenario.REFUSED_THEN_ADMITTED,
            "starved",
            writeBack(
                "lease/CachedAnswers", "Math.min(free, NodeClock.after(now, backoff))", "free")),
        new Mutant(
            "forgotten while it still counts, fixed",
            Scenario.FLICKER_FIXED,
            "limit",
            algorithm(
                "FixedWindow",
                "return used == 0 ? lastClaimAt() : (number + 1) * window;",
                "return lastClaimAt() + window / 10;")),
        new Mutant(
            "forgotten while it still counts, sliding",
            Scenario.FORGETFUL_SLIDING,
            "limit",
            algorithm(
                "SlidingWindow",
                "charges.isEmpty() ? lastClaimAt() : gone(charges.newest());",
                "charges.isEmpty() ? lastClaimAt() : slots.start(charges.newest() + 1);")),
        new Mutant(
            "forgotten while it still counts, log",
            Scenario.FORGETFUL_LOG,
            "limit",
            algorithm(
                "SlidingLog",
                "charges.isEmpty() ? lastClaimAt() : charges.newest() + slots.window();",
                "charges.isEmpty() ? lastClaimAt() : charges.newest();")),
        new Mutant(
            "forgotten while it still counts, token",
            Scenario.FORGETFUL_TOKEN,
            "limit",
            algorithm(
                "LevelBucket", "return Math.max(drained, newest - minLife());", "return at;")),
        new Mutant(
            "a bucket that is empty once is empty for ever",
            Scenario.REFUSED_THEN_ADMITTED,
            "starved",
            writeBack(
                "lease/CachedAnswers",
                "Math.max(now + 1, Math.min(free, NodeClock.after(now, backoff)))",
                "NodeClock.NEVER")),
        new Mutant(
            "what is pending is lost by eviction",
            Scenario.CACHE_FLOODED,
            "idle",
            writeBack(
                "ActiveBucket",
                "kept = tells && context.backlog().keeps(ledger.owes());",
                "kept = false;")),
        new Mutant(
            "a changed limit begins to count anew",
            Scenario.RELOADED,
            "limit",
            algorithm("FixedWindow", "private long used;", "private long used; long before;"),
            algorithm(
                "FixedWindow",
                "long current = Math.floorDiv(now, window); if (current != number) {",
                "boolean other = before != most(); before = most();"
                    + " long current = Math.floorDiv(now, window);"
                    + " if (current != number || other) {")),
        new Mutant(
            "a changed limit counts twice",
            Scenario.RELOADED,
            "use",
            algorithm("FixedWindow", "private long used;", "private long used; long before;"),
            algorithm(
                "FixedWindow",
                "long current = Math.floorDiv(now, window);",
                "used = before == most() ? used : 2 * used; before = most();"
                    + " long current = Math.floorDiv(now, window);")),
        new Mutant(
            "a changed limit gives back what it keeps",
            Scenario.RELOADED,
            "ledger",
            writeBack(
                "ActiveBucket",
                "Decision admission = admit(terms, key, now);",
                "BucketLimits other = new BucketLimits(terms.limit(), terms.effectiveLimit(),"
                    + " terms.burst(), terms.excess()); synchronized (this) { if (!composer.limits().equals(other))"
                    + " { composer.setLimits(other); holder.twice(); } } Decision admission ="
                    + " admit(terms, key, now);"),
            writeBack(
                "lease/LeaseHolder",
                "public boolean hasGiveBacks() {",
                "public void twice() { giveBacks.add(lease().stamp(), lease().permits()); } public"
                    + " boolean hasGiveBacks() {")),
        new Mutant(
            "one bucket is flushed with another's limit",
            Scenario.SIDE_BY_SIDE,
            "limit",
            writeBack(
                "ClaimComposer",
                "private BucketLimits limits;",
                "private static BucketLimits limits;")),
        new Mutant(
            "each flush looks at all buckets that were ever seen",
            Scenario.VISITED,
            "work",
            writeBack(
                "ActiveBucket",
                "return stays ? FlushResult.STAY : leave(now);",
                "return FlushResult.STAY;")));
  }
}
