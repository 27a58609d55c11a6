package io.weir.internal.engine;

import io.weir.Policy;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketSpec;

/**
 * How much of a policy is in force for one request, after its mode and the load of this node.
 *
 * <p>HARD is the limit, SOFT the limit and {@code exceedBy} percent of it (rounded down). ELASTIC
 * is as SOFT up to 60 % load, falls evenly to the limit at 80 %, and from there to half the limit
 * at 100 %, but never below one permit. The load comes as parts per million, so that everything
 * after reading it is whole numbers; the largest, ten times the largest limit, are far from what a
 * long holds.
 *
 * <p>The burst of the bucket algorithms follows in proportion. Immutable.
 *
 * @param limit permits per window that the caller is told
 * @param within permits per window within the limit
 * @param nominal permits at once within the limit
 * @param effectiveLimit permits per window
 * @param full permits at once, those of a fresh bucket
 */
record EffectiveLimit(long limit, long within, long nominal, long effectiveLimit, long full) {
  static final int MILLION = 1_000_000;
  private static final int SPARE_UP_TO = 600_000;
  private static final int OVERLOADED_FROM = 800_000;
  private static final int SPAN = 200_000;

  static EffectiveLimit of(Policy policy, long limit, int load) {
    long effectiveLimit = effectiveLimit(policy, limit, load);
    long nominal = policy.burstFor(limit);
    return new EffectiveLimit(
        limit, limit, nominal, effectiveLimit, full(policy, limit, effectiveLimit, nominal));
  }

  private static long effectiveLimit(Policy policy, long limit, int load) {
    long spare = limit * policy.exceedBy() / 100;
    return switch (policy.mode()) {
      case HARD -> limit;
      case SOFT -> limit + spare;
      case ELASTIC -> elastic(limit, spare, load);
    };
  }

  private static long elastic(long limit, long spare, int load) {
    if (load <= SPARE_UP_TO) {
      return limit + spare;
    }
    if (load <= OVERLOADED_FROM) {
      return limit + spare * (OVERLOADED_FROM - load) / SPAN;
    }
    long half = limit / 2;
    return Math.max(1, half + (limit - half) * (MILLION - load) / SPAN);
  }

  private static long full(Policy policy, long limit, long effectiveLimit, long nominal) {
    return isBucket(policy) ? Math.max(1, scale(nominal, effectiveLimit, limit)) : effectiveLimit;
  }

  private static boolean isBucket(Policy policy) {
    return BucketSpec.hasBurst(policy.algorithm());
  }

  // Whole multiples apart, since amount × capacity may be more than a long holds.
  private static long scale(long amount, long effectiveLimit, long limit) {
    return amount * (effectiveLimit / limit) + amount * (effectiveLimit % limit) / limit;
  }

  /**
   * What one of several nodes gives that can't ask the store: its share of everything, rounded down
   * and at least one permit. The caller is told the limit as it is.
   */
  EffectiveLimit share(int nodes) {
    return nodes == 1
        ? this
        : new EffectiveLimit(
            limit,
            Math.max(1, within / nodes),
            Math.max(1, nominal / nodes),
            Math.max(1, effectiveLimit / nodes),
            Math.max(1, full / nodes));
  }

  /**
   * What is left of a share for a node that has had some of it already.
   *
   * @param permits how many, less than all at once
   */
  EffectiveLimit less(Policy policy, long permits) {
    // The rate of a bucket algorithm stays: only how much of it is free at the moment is less.
    long rate = isBucket(policy) ? 0 : permits;
    return new EffectiveLimit(
        limit,
        Math.max(1, within - rate),
        Math.max(1, nominal - permits),
        Math.max(1, effectiveLimit - rate),
        Math.max(1, full - permits));
  }

  /** The same for a request of so many permits. */
  RequestTerms terms(Policy policy, long permits) {
    return new RequestTerms(
        policy, permits, limit, effectiveLimit, full, Math.max(0, full - nominal));
  }

  /** Whether the node is so busy that it gives less than the limit. */
  boolean reduced() {
    return effectiveLimit < within;
  }
}
