package io.weir.internal.policy.draft;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.annotation.Mode;
import io.weir.internal.region.RegionShares;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Finds what can't be divided among regions: whatever leaves one of them less than a permit, or too
 * few for a request.
 *
 * <p>Confine to one thread.
 */
final class RegionShareChecks {
  private static final String OR_OF_REGION =
      ", or scope REGION, since weir.regions.shares leaves a region only ";

  private final RegionShares shares;
  private final Policy policy;
  private final List<PolicyMistake> mistakes = new ArrayList<>();

  private RegionShareChecks(RegionShares shares, Policy policy) {
    this.shares = shares;
    this.policy = policy;
  }

  /** Finds the mistakes of a policy whose members are consistent. */
  static List<PolicyMistake> mistakes(RegionShares shares, Policy policy) {
    RegionShareChecks checks = new RegionShareChecks(shares, policy);
    if (shares.divides(policy)) {
      checks.check("limit", policy.limit(), "refill", policy.refill());
      new TreeMap<>(policy.tiers())
          .forEach(
              (tier, limit) ->
                  checks.check(
                      "tiers." + tier,
                      limit,
                      "tiers." + tier + ".refill",
                      policy.forTier(tier).refillFor(limit)));
    }
    return checks.mistakes;
  }

  private void check(String member, long limit, String refillMember, long refill) {
    long atOnce = policy.burstFor(limit);
    boolean isDivided = isDivided(member, limit);
    if (atOnce != limit) {
      isDivided &= isDivided("burst", atOnce);
    }
    if (refill > 0) {
      isDivided &= isDivided(refillMember, refill);
    }
    long least = shares.leastPart(atOnce);
    if (isDivided && policy.cost() > least) {
      wrong("cost", policy.cost(), "must be 1 to " + least + OR_OF_REGION + permits(least, atOnce));
    }
    if (isDivided && policy.mode() == Mode.SOFT) {
      long part = shares.leastPart(limit);
      if (Policy.excess(part, part, policy.exceedBy()) == 0
          || Policy.excess(least, part, policy.exceedBy()) == 0) {
        wrong(
            "exceedBy",
            policy.exceedBy(),
            "must add a permit to the part of each region" + OR_OF_REGION + permits(part, limit));
      }
    }
  }

  private boolean isDivided(String member, long permits) {
    long part = shares.leastPart(permits);
    if (part == 0) {
      wrong(
          member,
          permits,
          "must be at least " + shares.leastDivided() + OR_OF_REGION + permits(part, permits));
    }
    return part > 0;
  }

  private static String permits(long part, long of) {
    return part + " of " + of;
  }

  private void wrong(String member, long value, String rule) {
    PolicyMistake mistake = new PolicyMistake(member, Long.toString(value), rule);
    if (!mistakes.contains(mistake)) {
      mistakes.add(mistake);
    }
  }
}
