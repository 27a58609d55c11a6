package io.weir.internal.engine;

import io.weir.LoadCurve;
import io.weir.Policy;
import io.weir.annotation.Mode;
import io.weir.annotation.Priority;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketSpec;

/**
 * Computes how much a policy admits for one request, after its mode and the load of this node.
 *
 * <p>HARD admits the limit; SOFT the limit and {@code exceedBy} percent of it (rounded down).
 * ELASTIC is like SOFT up to 60 % load, falls evenly to the limit at 80 %, and from there to half
 * the limit at 100 %, but never below one permit.
 *
 * <p>A policy with a priority follows its curve too: as long as that leaves the whole limit, the
 * mode decides, but ELASTIC gets its excess only up to 60 %; otherwise the lower of both applies.
 * CRITICAL takes nothing off the limit by itself, so ELASTIC doesn't either.
 *
 * <p>The load is in parts per million, so everything after reading it is whole numbers; the
 * largest, eleven times the largest limit, fits easily into a long.
 *
 * <p>The burst of the bucket algorithms follows in proportion, and so does a refill, which is what
 * a bucket that has one gets back per window. Immutable.
 *
 * @param limit permits per window reported to the caller
 * @param nominalLimit permits per window within the limit; the refill of a bucket that has one
 * @param nominalBurst permits at once within the limit
 * @param effectiveLimit permits per window in force; the refill of a bucket that has one; 0 if the
 *     node is too busy for any
 * @param burst permits at once in force: those of a fresh bucket
 */
record EffectiveLimit(
    long limit, long nominalLimit, long nominalBurst, long effectiveLimit, long burst) {
  static final int MILLION = 1_000_000;
  private static final int FULL_EXCESS_UP_TO = 600_000;
  private static final int OVERLOADED_FROM = 800_000;
  private static final int SPAN = 200_000;

  static EffectiveLimit of(Policy policy, long limit, int load) {
    long kept = kept(policy, limit);
    return of(policy, kept, effectiveLimit(policy, kept, load));
  }

  /** Returns the permits of a fresh bucket of a node without load, with the excess of the mode. */
  static long most(Policy policy, long limit) {
    return of(policy, limit, 0).burst();
  }

  static EffectiveLimit of(Policy policy, long limit, int load, LoadCurve curve) {
    long kept = kept(policy, limit);
    return of(policy, kept, effectiveLimit(policy, kept, load, curve));
  }

  /** Bounds limits that no start has checked: those of resolvers, sources and code. */
  private static long kept(Policy policy, long limit) {
    return policy.spec().clears() ? Math.min(limit, Policy.MAX_CLEARED) : limit;
  }

  private static EffectiveLimit of(Policy policy, long limit, long effectiveLimit) {
    long nominalBurst = policy.burstFor(limit);
    long burst = burst(policy, limit, effectiveLimit, nominalBurst);
    return new EffectiveLimit(
        limit,
        perWindow(policy, limit),
        nominalBurst,
        effectiveLimit == 0 ? 0 : perWindow(policy, effectiveLimit),
        burst);
  }

  private static long perWindow(Policy policy, long limit) {
    return policy.refill() == 0 ? limit : policy.refillFor(limit);
  }

  private static long effectiveLimit(Policy policy, long limit, int load) {
    long excess = limit * policy.exceedBy() / 100;
    return switch (policy.mode()) {
      case HARD -> limit;
      case SOFT -> limit + excess;
      case ELASTIC -> elastic(limit, excess, load);
    };
  }

  private static long effectiveLimit(Policy policy, long limit, int load, LoadCurve curve) {
    long byMode = effectiveLimit(policy, limit, load);
    boolean hasExcess = policy.mode() != Mode.ELASTIC || load <= FULL_EXCESS_UP_TO;
    if (hasExcess && curve.isWhole(load)) {
      return byMode;
    }
    boolean critical = policy.priority() == Priority.CRITICAL;
    return Math.min(critical ? Math.max(limit, byMode) : byMode, curve.permits(limit, load));
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
    return isBucket(policy) && effectiveLimit > 0
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
   * Returns the share of one of several nodes that can't reach the store: equal shares, rounded
   * down, at least one permit. The limit reported to the caller remains whole.
   */
  EffectiveLimit dividedBy(int nodes) {
    if (nodes == 1) {
      return this;
    }
    return new EffectiveLimit(
        limit,
        Math.max(1, nominalLimit / nodes),
        Math.max(1, nominalBurst / nodes),
        Math.max(1, effectiveLimit / nodes),
        Math.max(1, burst / nodes));
  }

  /**
   * Returns the rest of a node's share after it has used some of it.
   *
   * @param permits the number used, less than the burst
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

  /** Returns the terms of a request by a caller known to have used some permits. */
  RequestTerms terms(Policy policy, long permits, long used) {
    long excess = Math.max(0, burst - nominalBurst);
    return new RequestTerms(policy, permits, limit, effectiveLimit, burst, excess, used);
  }

  /** Returns the limit of a node that isn't busy, without the excess of the mode. */
  EffectiveLimit nominal() {
    return new EffectiveLimit(limit, nominalLimit, nominalBurst, nominalLimit, nominalBurst);
  }

  /** Returns whether the node is so busy that it admits nothing. */
  boolean isNothing() {
    return effectiveLimit == 0;
  }

  /** Returns whether the node is so busy that it admits less than the limit. */
  boolean isReduced() {
    return effectiveLimit < nominalLimit || burst < nominalBurst;
  }
}
