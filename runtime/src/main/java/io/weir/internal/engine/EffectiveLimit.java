package io.weir.internal.engine;

import io.weir.LoadCurve;
import io.weir.Policy;
import io.weir.annotation.Mode;
import io.weir.annotation.Priority;
import io.weir.internal.permits.RegionPart;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketSpec;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
 * <p>Where regions divide limits, mode and load begin with the part of this region, as if it were
 * the limit of a policy of its own.
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
 * @param part the part of the limit that this region counts; null if the limit is whole
 */
record EffectiveLimit(
    long limit,
    long nominalLimit,
    long nominalBurst,
    long effectiveLimit,
    long burst,
    @Nullable RegionPart part) {
  static final int MILLION = 1_000_000;
  private static final int FULL_EXCESS_UP_TO = 600_000;
  private static final int OVERLOADED_FROM = 800_000;
  private static final int SPAN = 200_000;

  static EffectiveLimit of(Policy policy, long limit, int load) {
    long kept = kept(policy, limit);
    return of(policy, kept, effectiveLimit(policy, kept, load));
  }

  static EffectiveLimit of(Policy policy, RegionPart part, int load) {
    return ofPart(policy, part, () -> effectiveLimit(policy, part.limit(), load));
  }

  static EffectiveLimit of(Policy policy, RegionPart part, int load, LoadCurve curve) {
    return ofPart(policy, part, () -> effectiveLimit(policy, part.limit(), load, curve));
  }

  /**
   * Returns the permits of a fresh bucket of a node without load, with the excess of the mode.
   *
   * @param whole the caller's limit over all regions
   */
  long most(Policy policy, long whole) {
    return (part == null ? of(policy, whole, 0) : of(policy, part, 0)).burst();
  }

  static EffectiveLimit of(Policy policy, long limit, int load, LoadCurve curve) {
    long kept = kept(policy, limit);
    return of(policy, kept, effectiveLimit(policy, kept, load, curve));
  }

  /** Bounds limits that no start has checked: those of resolvers, sources and code. */
  static long kept(Policy policy, long limit) {
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
        burst,
        null);
  }

  private static EffectiveLimit ofPart(Policy policy, RegionPart part, LongSupplier inForce) {
    if (part.isNothing()) {
      return new EffectiveLimit(part.limit(), 0, 0, 0, 0, part);
    }
    long limit = part.limit();
    long effectiveLimit = inForce.getAsLong();
    boolean hasRefill = policy.refill() > 0;
    long comesBack =
        hasRefill ? Math.max(1, scale(part.refill(), effectiveLimit, limit)) : effectiveLimit;
    return new EffectiveLimit(
        limit,
        hasRefill ? part.refill() : limit,
        part.burst(),
        effectiveLimit == 0 ? 0 : comesBack,
        burst(policy, limit, effectiveLimit, part.burst()),
        part);
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
        Math.max(1, burst / nodes),
        part);
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
        Math.max(1, burst - permits),
        part);
  }

  /** Returns the terms of a request by a caller known to have used some permits. */
  RequestTerms terms(Policy policy, long permits, long used) {
    long excess = Math.max(0, burst - nominalBurst);
    return new RequestTerms(policy, permits, limit, effectiveLimit, burst, excess, used, part);
  }

  /**
   * Returns the limit of a node that isn't busy, without the excess of the mode; at least a permit,
   * since stores count no bucket without any.
   */
  EffectiveLimit nominal() {
    long perWindow = Math.max(1, nominalLimit);
    long atOnce = Math.max(1, nominalBurst);
    return new EffectiveLimit(limit, perWindow, atOnce, perWindow, atOnce, part);
  }

  /** Returns the same limit with other permits in force. */
  EffectiveLimit with(long nominalPerWindow, long nominalAtOnce, long perWindow, long atOnce) {
    return new EffectiveLimit(limit, nominalPerWindow, nominalAtOnce, perWindow, atOnce, part);
  }

  /** Returns whether it admits nothing: the node is too busy, or the region's part too small. */
  boolean isNothing() {
    return effectiveLimit == 0;
  }

  /** Returns whether the node is so busy that it admits less than the limit. */
  boolean isReduced() {
    return effectiveLimit < nominalLimit || burst < nominalBurst;
  }
}
