package io.weir;

import io.weir.annotation.Mode;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Collects the mistakes of one policy: the rules that many members have in common, and those
 * between members.
 *
 * <p>Confine to one thread.
 */
final class PolicyRules {
  private final List<PolicyMistake> mistakes = new ArrayList<>();

  List<PolicyMistake> mistakes() {
    return List.copyOf(mistakes);
  }

  boolean isKept() {
    return mistakes.isEmpty();
  }

  void wrong(String member, Object value, String rule) {
    mistakes.add(new PolicyMistake(member, value.toString(), rule));
  }

  /** A whole number, in a unit that the message names. */
  void between(String member, long value, long min, long max, String unit) {
    if (value < min || value > max) {
      wrong(member, value, String.format(Locale.ROOT, "must be %,d to %,d%s", min, max, unit));
    }
  }

  void name(String name) {
    if (name.length() > BucketSpec.MAX_NAME) {
      wrong("name", name, "must have at most 64 characters; give it a shorter name");
    } else if (!BucketSpec.isName(name)) {
      wrong("name", "'" + name + "'", "must match [A-Za-z0-9._-]{1,64}");
    }
  }

  void window(Duration window) {
    if (window.compareTo(BucketSpec.MIN_WINDOW) < 0
        || window.compareTo(BucketSpec.MAX_WINDOW) > 0) {
      wrong("window", window, "must be 10 milliseconds to 366 days");
    } else if (window.toNanos() % 1_000 != 0) {
      wrong("window", window, "must be whole microseconds");
    }
  }

  void tier(String tier, long limit) {
    if (!BucketSpec.isName(tier)) {
      wrong("tiers", "'" + tier + "'", "a tier's name must match [A-Za-z0-9._-]{1,64}");
    }
    between("tiers." + tier, limit, 1, Policy.MAX_LIMIT, "");
  }

  /**
   * What mode and cost must keep with the permits at once.
   *
   * @param which whose limit it is, for messages
   */
  void together(BucketSpec spec, String which, long limit, PolicyBuilder policy) {
    long burst = spec.burstFor(limit);
    if (policy.mode == Mode.SOFT) {
      canExceed(policy.exceedBy, "the " + which + " of " + limit, limit, limit);
      if (burst != limit) {
        canExceed(policy.exceedBy, "the burst of " + burst, burst, limit);
      }
    }
    if (policy.cost > burst) {
      String of = burst == limit ? " (" + which + ")" : "";
      wrong("cost", policy.cost, "must be 1 to " + burst + ", the permits at once" + of);
    }
  }

  private void canExceed(int exceedBy, String what, long burst, long limit) {
    if (Policy.excess(burst, limit, exceedBy) == 0) {
      wrong("exceedBy", exceedBy, "% of " + what + " rounds to nothing, so SOFT can't exceed it");
    }
  }
}
