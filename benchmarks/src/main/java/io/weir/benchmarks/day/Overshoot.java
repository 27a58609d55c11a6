package io.weir.benchmarks.day;

import io.weir.annotation.Algorithm;
import io.weir.benchmarks.cluster.Admissions;
import io.weir.benchmarks.cluster.Limit;
import io.weir.benchmarks.cluster.LimitOracle;
import java.util.HashMap;
import java.util.Map;

/**
 * Looks for users who were admitted more often than their limit allows in any minute.
 *
 * <p>Immutable.
 *
 * @param percent what the worst minute of the worst user has beyond the limit
 * @param atTheLimit how many users had as many as allowed, so that more would have been seen
 */
record Overshoot(double percent, int atTheLimit) {
  private static final Limit LIMIT =
      new Limit(Algorithm.SLIDING_WINDOW, Nodes.PER_MINUTE, Nodes.MINUTE_MILLIS * 1_000);

  /** Looks at all users; the mark of an admission is its user. */
  static Overshoot of(Admissions all) {
    Map<Long, Admissions> byUser = new HashMap<>();
    for (int i = 0; i < all.count(); i++) {
      byUser
          .computeIfAbsent(all.mark(i), any -> new Admissions())
          .add(all.before(i), all.after(i), all.mark(i));
    }
    double worst = 0;
    int atTheLimit = 0;
    for (Admissions each : byUser.values()) {
      if (each.count() >= Nodes.PER_MINUTE) {
        worst = Math.max(worst, new LimitOracle(each, LIMIT, false).excess().percent());
        atTheLimit++;
      }
    }
    return new Overshoot(worst, atTheLimit);
  }
}
