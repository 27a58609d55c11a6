package io.weir.internal.engine;

import io.weir.Policy;
import io.weir.internal.permits.PolicyTerms;
import io.weir.store.BucketSpec;

/**
 * How much a policy admits for one request, after its mode and the load of this node.
 *
 * <p>HARD is the limit, SOFT the limit and {@code exceedBy} percent of it (rounded down). ELASTIC
 * is like SOFT up to 60 % load, falls evenly to the limit at 80 %, and from there to half the limit
 * at 100 %, but never below one permit. The load comes in parts per million, so everything after
 * reading it is whole numbers; the largest, ten times the largest limit, fit into a long with ease.
 *
 * <p>The burst of the bucket algorithms follows in proportion. Immutable.
 *
 * @param limit permits per window that the caller is told
 * @param nominalLimit permits per window within the limit
 * @param nominalBurst permits at once within the limit
 * @param effectiveLimit permits per window in force
 * @param burst permits at once in force: those of a fresh bucket
 */
record EffectiveLimit(
    long limit, long nominalLimit, long nominalBurst, long effectiveLimit, long burst) {
  static final int MILLION = 1_000_000;
  private static final int FULL_EXCESS_UP_TO = 600_000;
  private static final int OVERLOADED_FROM = 800_000;
  private static final int SPAN = 200_000;

  static EffectiveLimit of(Policy policy, long limit, int load) {
    long effectiveLimit = effectiveLimit(policy, limit, load);
    long nominalBurst = policy.burstFor(limit);
    long burst = burst(policy, limit, effectiveLimit, nominalBurst);
    return new EffectiveLimit(limit, limit, nominalBurst, effectiveLimit, burst);
  }

  private static long effectiveLimit(Policy policy, long limit, int load) {
    long excess = limit * policy.exceedBy() / 100;
    return switch (policy.mode()) {
      case HARD -> limit;
      case SOFT -> limit + excess;
      case ELASTIC -> elastic(limit, excess, load);
    };
  }

  private static long elastic(long limit, long excess, int load) {
    if (load <= FULL_EXCESS_UP_TO) {
      return limit + excess;
    }
    if (load <= OVERLOADED_FROM) {
      return limit + excess * (OVERLOADED_FROM - load) / SPAN;
    }
    long half = limit / 2;
    return Math.max(1, half + (limit - half) * (MILLION - load) / SPAN);
  }

  private static long burst(Policy policy, long limit, long effectiveLimit, long nominalBurst) {
    return isBucket(policy)
        ? Math.max(1, scale(nominalBurst, effectiveLimit, limit))
        : effectiveLimit;
  }

  private static boolean isBucket(Policy policy) {
    return BucketSpec.hasBurst(policy.algorithm());
  }

  // In two steps, since amount × effectiveLimit may not fit into a long.
  private static long scale(long amount, long effectiveLimit, long limit) {
    return amount * (effectiveLimit / limit) + amount * (effectiveLimit % limit) / limit;
  }

  /**
   * The part of one of several nodes that can't reach the store: an equal share, rounded down and
   * at least one permit. The caller is still told the whole limit.
   */
  EffectiveLimit dividedBy(int nodes) {
    return nodes == 1
        ? this
        : new EffectiveLimit(
            limit,
            Math.max(1, nominalLimit / nodes),
            Math.max(1, nominalBurst / nodes),
            Math.max(1, effectiveLimit / nodes),
            Math.max(1, burst / nodes));
  }

  /**
   * What is left of a node's share when it has already used some of it.
   *
   * @param permits how many it has used, less than the burst
   */
  EffectiveLimit minus(Policy policy, long permits) {
    // A bucket algorithm keeps its rate; only what is free at the moment is less.
    long ofLimit = isBucket(policy) ? 0 : permits;
    return new EffectiveLimit(
        limit,
        Math.max(1, nominalLimit - ofLimit),
        Math.max(1, nominalBurst - permits),
        Math.max(1, effectiveLimit - ofLimit),
        Math.max(1, burst - permits));
  }

  /** The terms of a request of so many permits. */
  PolicyTerms terms(Policy policy, long permits) {
    long excess = Math.max(0, burst - nominalBurst);
    return new PolicyTerms(policy, permits, limit, effectiveLimit, burst, excess);
  }

  /** Whether the node is so busy that it admits less than the limit. */
  boolean isReduced() {
    return effectiveLimit < nominalLimit;
  }
}
