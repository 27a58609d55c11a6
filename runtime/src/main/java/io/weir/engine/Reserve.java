package io.weir.engine;

import io.weir.Ask;
import io.weir.Policy;
import io.weir.Shape;
import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
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
record Reserve(int percent, int nodes) {
  /** Nothing is kept back. */
  static final Reserve NONE = new Reserve(0, 1);

  private static final int DRIFT = 1_000;
  private static final Duration LONGEST = Duration.ofDays(366);

  Reserve {
    if (percent < 0 || percent > 90) {
      throw new IllegalArgumentException("reserve must be 0 to 90 percent, not " + percent);
    }
  }

  boolean isNone() {
    return percent == 0;
  }

  /** What is left of it while the store answers: a request of the usual cost at least. */
  InForce without(Policy policy, InForce all) {
    return isNone()
        ? all
        : new InForce(
            all.limit(),
            all.within() - kept(policy, all.within()),
            all.nominal() - kept(policy, all.nominal()),
            all.capacity() - kept(policy, all.capacity()),
            all.full() - kept(policy, all.full()));
  }

  /** What a node may admit that can't ask the store; nothing if that isn't even one permit. */
  Optional<InForce> share(Policy policy, InForce all, int live) {
    int parts = Math.max(nodes, live);
    long capacity = kept(policy, all.capacity()) / parts;
    long full = kept(policy, all.full()) / parts;
    if (capacity == 0 || full == 0) {
      return Optional.empty();
    }
    long within = Math.max(1, kept(policy, all.within()) / parts);
    long nominal = Math.max(1, kept(policy, all.nominal()) / parts);
    return Optional.of(
        new InForce(
            all.limit(), Math.min(within, capacity), Math.min(nominal, full), capacity, full));
  }

  // What is left is never less than what one request takes, or nobody would ever be admitted.
  private long kept(Policy policy, long permits) {
    long part = permits / 100 * percent + permits % 100 * percent / 100;
    return Math.max(0, Math.min(part, permits - Math.max(1, policy.cost())));
  }

  /** The bucket in which this node counts what it admits by itself. */
  Bucket bucket(Ask ask) {
    Shape shape = ask.policy().shape();
    if (isNone()) {
      return new Bucket(shape, ask.key());
    }
    boolean fixed = shape.algorithm() == Algorithm.FIXED_WINDOW;
    long micros = shape.windowMicros();
    Duration window = Duration.ofNanos((micros + micros / DRIFT + 1) * 1_000);
    return new Bucket(
        new Shape(
            shape.name(),
            fixed ? Algorithm.SLIDING_WINDOW : shape.algorithm(),
            window.compareTo(LONGEST) > 0 ? LONGEST : window,
            shape.burst()),
        ask.key());
  }
}
