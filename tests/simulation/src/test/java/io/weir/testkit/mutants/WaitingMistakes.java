package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.writeBack;

import java.util.List;

/** Ways to spend by the store's decision what it hasn't decided. */
final class WaitingMistakes {
  private static final String SENT_FOR = "boolean sent = each.claim() == claim && each.since()";
  private static final String FOR_ANYONE = "boolean sent = each.claim() <= claim && each.since()";
  private static final String NEEDED = "Math.min(grant.permits(), sent.claim.needed())";

  private WaitingMistakes() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "requests that came after the claim was sent are served by its decision",
            Scenario.FAR_AWAY,
            "ledger",
            writeBack("WaitQueue", SENT_FOR, FOR_ANYONE),
            writeBack("ClaimingBucket", NEEDED, "grant.permits()")),
        new Mutant(
            "extra permits are spent after their life",
            Scenario.FAR_AWAY,
            "ledger",
            writeBack("WaitQueue", SENT_FOR, FOR_ANYONE),
            writeBack(
                "ClaimingBucket", NEEDED, "Math.max(0, grant.permits() - sent.claim.needed())")),
        new Mutant(
            "what is left after its life stays in a lease",
            Scenario.FAR_AWAY,
            "ledger",
            writeBack("lease/LeaseHolder", "return now >= endsAt || older", "return older"),
            writeBack(
                "lease/Lease",
                "long spend(long wanted, long now) { if (now >= endsAt) {",
                "long spend(long wanted, long now) { if (now == Long.MAX_VALUE) {")),
        new Mutant(
            "waiting requests are served by the decision of data that is lost",
            Scenario.WIPED_WAITING,
            "limit",
            writeBack(
                "ClaimingBucket",
                "if (!batch.isDataCurrent()) { // what it grants",
                "if (batch.sentAt() == Long.MIN_VALUE) { // what it grants")),
        new Mutant(
            "what was granted to waiting requests is not reported as spent",
            Scenario.SELDOM_FRUGAL,
            "exchanges",
            writeBack(
                "lease/LeaseHolder",
                "long spent = FarLeaseStamp.isReported(old.stamp()) ? Math.max(0, old.farSize() -"
                    + " left) : 0;",
                "long spent = 0;")),
        new Mutant(
            "a permit that arrives after its slot refuses the request that it was granted to",
            Scenario.FAR_AWAY,
            "refused",
            writeBack("ClaimingBucket", "grant.life() > 0 ?", "now < grant.life() ?"),
            writeBack(
                "lease/CachedAnswers", "grant.retry() > 0 && !goesBack", "grant.retry() > 0")));
  }
}
