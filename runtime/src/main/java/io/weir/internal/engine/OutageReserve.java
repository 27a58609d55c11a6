package io.weir.internal.engine;

import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * The percentage of every limit that is reserved for degraded nodes, those that can't reach the
 * store ({@code weir.store.reserve}), so that what they admit doesn't come on top of the limit.
 *
 * <p><b>Why it holds.</b> R permits of a limit L are reserved, rounded down. The store grants at
 * most L − R in whatever its algorithm counts by. A degraded node admits at most R ÷ n, rounded
 * down, in any interval of a window, with n at least the number of nodes that there may be. So as
 * long as there aren't more, all degraded nodes admit at most R together, however long that lasts
 * and whichever they are, and all nodes at most L. Nothing that a degraded node admits need be
 * charged afterwards.
 *
 * <p>A node that has just started takes the place of one that has ended, and that one may have
 * spent its part in this very window. So a node has no part of a bucket before all that another one
 * may have spent has come back.
 *
 * <p>Of a bucket with a refill nothing can be reserved: what comes back isn't a part of the limit.
 * So it has all of the limit while the store answers, and a degraded node admits nothing.
 *
 * <p>The windows of a node's clock aren't those of the store, and the clocks differ in pace. So a
 * fixed window is counted as a sliding one here, and all windows are a thousandth longer.
 *
 * <p>Immutable.
 *
 * @param percent how much of each limit, 0 (nothing) to 90
 * @param nodes how many nodes there may be, 1 and more
 */
record OutageReserve(int percent, int nodes) {
  /** Nothing is reserved. */
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

  /** What is left while the store answers: enough for a request of the usual cost at least. */
  EffectiveLimit deductedFrom(EffectiveLimit whole, Policy policy) {
    return isNone() || policy.spec().refill() > 0
        ? whole
        : new EffectiveLimit(
            whole.limit(),
            whole.nominalLimit() - reserved(policy, whole.nominalLimit()),
            whole.nominalBurst() - reserved(policy, whole.nominalBurst()),
            whole.effectiveLimit() - reserved(policy, whole.effectiveLimit()),
            whole.burst() - reserved(policy, whole.burst()));
  }

  /** What one degraded node may admit; nothing if that isn't even one permit. */
  Optional<EffectiveLimit> share(EffectiveLimit whole, Policy policy, int liveNodes) {
    if (policy.spec().refill() > 0) {
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
        new EffectiveLimit(
            whole.limit(),
            Math.min(nominalLimit, effectiveLimit),
            Math.min(nominalBurst, burst),
            effectiveLimit,
            burst));
  }

  // What remains is never less than what one request costs, or nobody would ever be admitted.
  private long reserved(Policy policy, long permits) {
    long part = permits / 100 * percent + permits % 100 * percent / 100;
    return Math.max(0, Math.min(part, permits - Math.max(1, policy.cost())));
  }

  /**
   * How long a node must have lived for its part of a policy to be its own: a window, or as long as
   * a whole burst takes to come back.
   *
   * @return microseconds
   */
  static long ownAfterMicros(Policy policy, EffectiveLimit whole) {
    double windows = Math.max(1, Math.ceil((double) whole.burst() / Math.max(1, whole.limit())));
    double micros = (double) policy.spec().windowMicros() * windows;
    return (long) (micros + micros / DRIFT + 1); // the longest there is if it is beyond all numbers
  }

  /** The bucket in which a degraded node counts what it admits by itself. */
  BucketId localBucket(PermitRequest request) {
    BucketSpec spec = request.policy().spec();
    if (isNone()) {
      return new BucketId(spec, request.key());
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
        request.key());
  }
}
