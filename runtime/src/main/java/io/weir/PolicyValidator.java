package io.weir;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Checks the members of one policy and collects its mistakes: the rules that several members share,
 * and those that combine members.
 *
 * <p>Confine to one thread.
 */
final class PolicyValidator {
  private final List<PolicyMistake> mistakes = new ArrayList<>();

  List<PolicyMistake> mistakes() {
    return List.copyOf(mistakes);
  }

  boolean areKept() {
    return mistakes.isEmpty();
  }

  void wrong(String member, Object value, String rule) {
    mistakes.add(new PolicyMistake(member, value.toString(), rule));
  }

  /** Checks a whole number; messages append the unit to the range. */
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

  /**
   * Checks a bucket with its own refill.
   *
   * @param limit the policy's own limit, which must hold the refill; those of tiers scale it
   */
  void refill(Algorithm algorithm, long refill, long burst, long limit) {
    if (algorithm != Algorithm.TOKEN_BUCKET) {
      wrong("refill", refill, "is for TOKEN_BUCKET, not " + algorithm);
    } else if (burst > 0) {
      wrong("burst", burst, "can't be combined with refill: the limit is the burst then");
    }
    if (refill > limit) {
      wrong("refill", refill, "must be 1 to " + limit + ", the limit");
    }
  }

  /**
   * Checks the refill of a tier.
   *
   * @param limit the tier's limit, which must hold the refill
   * @param ofPolicy the policy's own refill
   */
  void refillOfTier(String tier, long refill, long limit, long ofPolicy) {
    String member = "tiers." + tier + ".refill";
    if (ofPolicy == 0) {
      wrong(member, refill, "needs a refill of the policy");
    } else if (refill < 1 || refill > limit) {
      wrong(member, refill, "must be 1 to " + limit + ", the limit of the tier");
    }
  }

  void strict(long refill, Mode mode) {
    if (refill == 0 || mode != Mode.HARD) {
      wrong("strict", true, "needs a refill and mode HARD");
    }
  }

  void clearOnSuccess(Count count, List<By> by, Algorithm algorithm, int overshoot, Mode mode) {
    if (count != Count.FAILURES) {
      wrong("clearOn", ClearOn.SUCCESS, "needs count FAILURES: a success clears nothing else");
    }
    if (!by.contains(By.KEY)) {
      wrong(
          "clearOn",
          ClearOn.SUCCESS,
          "needs by KEY, with a key that holds the account: otherwise an attacker with one valid"
              + " account could clear the failures at all others");
    }
    if (algorithm != Algorithm.SLIDING_WINDOW && algorithm != Algorithm.SLIDING_LOG) {
      wrong(
          "clearOn",
          ClearOn.SUCCESS,
          "needs SLIDING_WINDOW or SLIDING_LOG, where each failure counts by itself, not "
              + algorithm);
    }
    if (overshoot > 0) {
      wrong("overshoot", overshoot, "can't be combined with clearOn SUCCESS");
    }
    if (mode != Mode.HARD) {
      wrong("mode", mode, "must be HARD with clearOn SUCCESS");
    }
  }

  void tierName(String tier) {
    if (!BucketSpec.isName(tier)) {
      wrong("tiers", "'" + tier + "'", "a tier's name must match [A-Za-z0-9._-]{1,64}");
    }
  }

  /**
   * Checks that SOFT admits anything beyond a limit or burst.
   *
   * @param excess the permits that it admits
   * @param base the limit or burst, for the message
   */
  void soft(int exceedBy, long excess, String base) {
    if (excess == 0) {
      wrong(
          "exceedBy",
          exceedBy,
          "adds less than one permit to " + base + ", so SOFT can't exceed it");
    }
  }

  /**
   * Checks that a request can ever be admitted.
   *
   * @param burst the permits at once
   * @param limit names the limit that they are, for the message; empty if they aren't a limit
   */
  void cost(long cost, long burst, String limit) {
    if (cost > burst) {
      String name = limit.isEmpty() ? "" : " (" + limit + ")";
      wrong("cost", cost, "must be 1 to " + burst + ", the permits at once" + name);
    }
  }
}
