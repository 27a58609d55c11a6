package io.weir.internal.engine;

import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * The share of every limit that is kept back for nodes that can't ask the store, so that what these
 * admit by themselves doesn't come on top of the limit.
 *
 * <p><b>Why it holds.</b> R permits of a limit L are kept back, rounded down. The store grants at
 * most L − R in whatever its algorithm counts by. A node that can't ask it admits at most R ÷ n,
 * rounded down, in any interval of a window, with n at least the number of nodes that there may be.
 * So as long as there aren't more, all that can't ask admit at most R together, however long that
 * lasts and whichever they are, and all nodes at most L. Nothing that a node admits so need be
 * charged afterwards.
 *
 * <p>Windows of a node's clock aren't those of the store, and the clocks differ in pace. So a fixed
 * window is counted as a sliding one here, and all windows are a thousandth longer.
 *
 * <p>Immutable.
 *
 * @param percent how much of each limit; 0 for none
 * @param nodes how many nodes there may be, 1 and more
 */
record OutageReserve(int percent, int nodes) {
  /** Nothing is kept back. */
  static final OutageReserve NONE = new OutageReserve(0, 1);

  private static final int DRIFT = 1_000;
  private static final Duration LONGEST = Duration.ofDays(366);

  OutageReserve {
    if (percent < 0 || percent > 90) {
      throw new IllegalArgumentException("reserve must be 0 to 90 percent, not " + percent);
    }
  }

  boolean isNone() {
    return percent == 0;
  }

  /** What is left of it while the store answers: a request of the usual cost at least. */
  EffectiveLimit without(Policy policy, EffectiveLimit all) {
    return isNone()
        ? all
        : new EffectiveLimit(
            all.limit(),
            all.within() - kept(policy, all.within()),
            all.nominal() - kept(policy, all.nominal()),
            all.effectiveLimit() - kept(policy, all.effectiveLimit()),
            all.full() - kept(policy, all.full()));
  }

  /** What a node may admit that can't ask the store; nothing if that isn't even one permit. */
  Optional<EffectiveLimit> share(Policy policy, EffectiveLimit all, int live) {
    int parts = Math.max(nodes, live);
    long effectiveLimit = kept(policy, all.effectiveLimit()) / parts;
    long full = kept(policy, all.full()) / parts;
    if (effectiveLimit == 0 || full == 0) {
      return Optional.empty();
    }
    long within = Math.max(1, kept(policy, all.within()) / parts);
    long nominal = Math.max(1, kept(policy, all.nominal()) / parts);
    return Optional.of(
        new EffectiveLimit(
            all.limit(),
            Math.min(within, effectiveLimit),
            Math.min(nominal, full),
            effectiveLimit,
            full));
  }

  // What is left is never less than what one request takes, or nobody would ever be admitted.
  private long kept(Policy policy, long permits) {
    long part = permits / 100 * percent + permits % 100 * percent / 100;
    return Math.max(0, Math.min(part, permits - Math.max(1, policy.cost())));
  }

  /** The bucket in which this node counts what it admits by itself. */
  BucketId bucket(PermitRequest ask) {
    BucketSpec spec = ask.policy().spec();
    if (isNone()) {
      return new BucketId(spec, ask.key());
    }
    boolean fixed = spec.algorithm() == Algorithm.FIXED_WINDOW;
    long micros = spec.windowMicros();
    Duration window = Duration.ofNanos((micros + micros / DRIFT + 1) * 1_000);
    return new BucketId(
        BucketSpec.builder(spec.name())
            .algorithm(fixed ? Algorithm.SLIDING_WINDOW : spec.algorithm())
            .window(window.compareTo(LONGEST) > 0 ? LONGEST : window)
            .burst(spec.burst())
            .build(),
        ask.key());
  }
}
