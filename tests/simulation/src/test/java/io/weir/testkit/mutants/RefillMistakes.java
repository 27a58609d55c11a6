package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.algorithm;
import static io.weir.testkit.mutants.Catalogue.writeBack;

import java.util.List;

/** Refills, and strict ones, without one of their rules. */
final class RefillMistakes {
  private RefillMistakes() {}

  static List<Mutant> all() {
    return List.of(
        arithmetic(
            "give-backs of any old step are credited",
            "if (stamp > before && stamp <= begin) {",
            "if (stamp <= begin) {"),
        arithmetic(
            "what was refilled is credited again",
            "long last = Math.min(refundable, permits);",
            "long last = Math.min(used, permits);"),
        arithmetic("a lease outlives its step", "return stamp() - now;", "return 3 * window;"),
        arithmetic(
            "a refusal moves the step back",
            "end = Math.max(end, Math.min(at, lastClaimAt()) + window);",
            "end = Math.min(at, lastClaimAt()) + window;"),
        new Mutant(
            "nodes keep their refusals to themselves",
            Scenario.REFUSED_STRICT,
            "strict",
            writeBack(
                "ActiveBucket",
                "wantsToClaim() || view.hasUnreportedRefusal(now)",
                "wantsToClaim()")),
        new Mutant(
            "a refusal is reported too late by a round trip and more",
            Scenario.REFUSED_STRICT,
            "retry",
            writeBack(
                "lease/LastRefusalTracker",
                "storeClock = grant.stamp() - grant.life();",
                "storeClock = grant.stamp() - grant.life() + 20_000;")));
  }

  private static Mutant arithmetic(String name, String text, String instead) {
    return new Mutant(
        name, Scenario.REFILLED, "limit", algorithm("IntervalRefillBucket", text, instead));
  }
}
