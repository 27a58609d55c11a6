package io.weir;

import io.weir.annotation.Algorithm;
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

  void algorithm(Algorithm algorithm, boolean calendar, long burst) {
    if (calendar && algorithm != Algorithm.FIXED_WINDOW) {
      wrong("algorithm", algorithm, "must be FIXED_WINDOW, as windows by the calendar are");
    }
    if (burst > 0 && !BucketSpec.hasBurst(algorithm)) {
      wrong("burst", burst, "is for TOKEN_BUCKET and LEAKY_BUCKET, not " + algorithm);
    }
  }

  /** A bucket with its own refill; it must fit each limit that the policy has. */
  void refill(Algorithm algorithm, long refill, long burst, boolean strict, PolicyBuilder policy) {
    if (strict && (refill == 0 || policy.mode != Mode.HARD)) {
      wrong("strict", true, "is for a refill with HARD");
    }
    if (refill == 0) {
      return;
    }
    if (algorithm != Algorithm.TOKEN_BUCKET) {
      wrong("refill", refill, "is for TOKEN_BUCKET, not " + algorithm);
    } else if (burst > 0) {
      wrong("burst", burst, "must not stand beside a refill: such a bucket holds the limit");
    }
    long smallest = policy.tiers.values().stream().reduce(policy.limit, Math::min);
    if (refill > smallest) {
      wrong("refill", refill, "must be 1 to " + smallest + ", the smallest limit");
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
