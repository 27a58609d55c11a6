package io.weir.internal.engine;

import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * Reserves a percentage of every limit for degraded nodes, those that can't reach the store ({@code
 * weir.store.reserve}), so that the permits that they admit don't exceed the limit.
 *
 * <p><b>Why it holds.</b> R permits of a limit L are reserved, rounded down. The store grants at
 * most L − R in whatever its algorithm counts by. A degraded node admits at most R ÷ n, rounded
 * down, in any interval of a window, where n is at least the number of nodes. So as long as there
 * aren't more nodes, all degraded nodes together admit at most R, however long that lasts and
 * whichever they are, and all nodes at most L. Nothing that a degraded node admits need be charged
 * afterwards.
 *
 * <p>A node that has just started may replace one that has ended, and that one may have spent its
 * share in this very window. So a node has no share of a bucket until everything that another node
 * may have spent has come back.
 *
 * <p>Nothing can be reserved of a bucket with a refill, since the refill isn't a part of the limit.
 * So it has the whole limit while the store answers, and a degraded node admits nothing.
 *
 * <p>The windows of a node's clock aren't those of the store, and the clocks differ in pace. So a
 * fixed window is counted as a sliding one here, and all windows are a thousandth longer.
 *
 * <p>Immutable.
 *
 * @param percent the percentage of each limit, 0 (nothing) to 90
 * @param nodes the largest number of nodes, at least 1
 */
record OutageReserve(int percent, int nodes) {
  static final OutageReserve NONE = new OutageReserve(0, 1);

  private static final int DRIFT = 1_000;

  OutageReserve {
    if (percent < 0 || percent > 90) {
      throw new IllegalArgumentException("reserve must be 0 to 90 percent, not " + percent);
    }
  }

  boolean isNone() {
    return percent == 0;
  }

  /**
   * Returns the rest while the store answers: enough for at least one request of the usual cost.
   */
  EffectiveLimit deductedFrom(EffectiveLimit whole, Policy policy) {
    return isNone() || policy.spec().hasRefill()
        ? whole
        : whole.with(
            whole.nominalLimit() - reserved(policy, whole.nominalLimit()),
            whole.nominalBurst() - reserved(policy, whole.nominalBurst()),
            whole.effectiveLimit() - reserved(policy, whole.effectiveLimit()),
            whole.burst() - reserved(policy, whole.burst()));
  }

  /** Returns the share that one degraded node may admit; empty if it is less than one permit. */
  Optional<EffectiveLimit> share(EffectiveLimit whole, Policy policy, int liveNodes) {
    if (policy.spec().hasRefill()) {
      return Optional.empty();
    }
    int parts = Math.max(nodes, liveNodes);
    long effectiveLimit = reserved(policy, whole.effectiveLimit()) / parts;
    long burst = reserved(policy, whole.burst()) / parts;
    if (effectiveLimit == 0 || burst == 0) {
      return Optional.empty();
    }
    long nominalLimit = Math.max(1, reserved(policy, whole.nominalLimit()) / parts);
    long nominalBurst = Math.max(1, reserved(policy, whole.nominalBurst()) / parts);
    return Optional.of(
        whole.with(
            Math.min(nominalLimit, effectiveLimit),
            Math.min(nominalBurst, burst),
            effectiveLimit,
            burst));
  }

  // The rest is at least the cost of one request, or no request would ever be admitted.
  private long reserved(Policy policy, long permits) {
    long part = permits / 100 * percent + permits % 100 * percent / 100;
    return Math.max(0, Math.min(part, permits - Math.max(1, policy.cost())));
  }

  /**
   * Returns the age at which a node's share of a policy is certainly its own: a window, or the time
   * that a whole burst takes to come back, in microseconds.
   */
  static long ownAfterMicros(Policy policy, EffectiveLimit whole) {
    double windows = Math.max(1, Math.ceil((double) whole.burst() / Math.max(1, whole.limit())));
    double micros = (double) policy.spec().windowMicros() * windows;
    return (long) (micros + micros / DRIFT + 1); // the longest if it overflows
  }

  /** Returns the bucket in which a degraded node counts what it admits by itself. */
  BucketId localBucket(BucketSpec spec, Key key) {
    if (isNone()) {
      return new BucketId(spec, key);
    }
    boolean fixed = spec.algorithm() == Algorithm.FIXED_WINDOW;
    long micros = spec.windowMicros();
    Duration window = Duration.ofNanos((micros + micros / DRIFT + 1) * 1_000);
    return new BucketId(
        BucketSpec.builder(spec.name())
            .algorithm(fixed ? Algorithm.SLIDING_WINDOW : spec.algorithm())
            .window(window.compareTo(BucketSpec.MAX_WINDOW) > 0 ? BucketSpec.MAX_WINDOW : window)
            .burst(spec.burst())
            .build(),
        key);
  }
}
