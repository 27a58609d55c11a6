package io.weir.internal.cassandra;

import io.weir.internal.store.ExecutedClaims;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.SlottedBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Computes the outcome of claims on a bucket from the sums of all nodes: the grants, and this
 * node's charges afterwards.
 *
 * <p>Immutable if its collections aren't changed.
 *
 * @param now the time of the store's clock, in microseconds
 * @param grants an answer for each claim
 * @param target this node's charges afterwards
 * @param firstSlot the first slot that counts
 * @param lifetimes until when the slots of the target count
 */
record SumBucketPlan(
    long now,
    List<Grant> grants,
    OwnNodeSums.Target target,
    long firstSlot,
    SortedMap<Long, Long> lifetimes) {
  /** The largest sum of a node, so that the sum of many doesn't overflow. */
  private static final long MAX_USED = 1L << 52;

  /** Computes the outcome. Give-backs count only up to what this node was granted. */
  static SumBucketPlan of(
      BucketArithmetic arithmetic,
      BucketSpec spec,
      long now,
      OwnNodeSums own,
      OtherNodeSums others,
      List<Claim> claims) {
    SlottedBucket bucket = arithmetic.slotted(spec, now);
    Calculation calculation = new Calculation(spec, bucket, own, others);
    List<Grant> grants = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      grants.add(calculation.execute(claim));
    }
    SortedMap<Long, Long> lifetimes = new TreeMap<>();
    for (long slot : calculation.charged.keySet()) {
      lifetimes.put(slot, bucket.countsUntil(slot));
    }
    return new SumBucketPlan(
        now,
        grants,
        new OwnNodeSums.Target(calculation.charged, calculation.raised),
        bucket.firstSlot(),
        lifetimes);
  }

  /** Returns whether some claim got less than it needed. */
  boolean isShort(List<Claim> claims) {
    for (int i = 0; i < claims.size(); i++) {
      if (grants.get(i).permits() < claims.get(i).needed()) {
        return true;
      }
    }
    return false;
  }

  boolean grantsAny() {
    return grants.stream().anyMatch(each -> each.permits() > 0);
  }

  /** Returns whether permits were granted that have expired at a time. */
  boolean isDeadAt(long time) {
    return grants.stream()
        .anyMatch(each -> each.permits() > 0 && each.life() <= Math.max(0, time - now));
  }

  /**
   * Returns the grants, with their lives counted from a later time.
   *
   * @param width how far a node's clock may be behind the coordinator's, in microseconds
   */
  List<Grant> grantsAt(long time, long width) {
    long passed = Math.max(0, time - now);
    return grants.stream().map(each -> ExecutedClaims.later(each, passed, width)).toList();
  }

  /** Limits give-backs to what this node was granted. */
  List<Claim> capped(List<Claim> claims) {
    List<Claim> capped = new ArrayList<>(claims.size());
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      long permits = grants.get(i).permits();
      long needed = Math.min(claim.needed(), permits);
      capped.add(
          copy(claim, claim.giveBacks())
              .needed(needed)
              .atLeast(needed == 0 ? claim.atLeast() : Math.min(claim.atLeast(), needed))
              .extra(needed == claim.needed() ? permits - needed : 0)
              .build());
    }
    return capped;
  }

  /** Returns the claims without those permits: give-backs and debts remain. */
  static List<Claim> withoutPermits(List<Claim> claims) {
    return claims.stream()
        .map(each -> copy(each, each.giveBacks()).atLeast(each.atLeast()).build())
        .toList();
  }

  /**
   * Returns the grants, with a refusal where permits were claimed.
   *
   * @param retry after which time they may be claimed again, in microseconds
   */
  static List<Grant> refused(List<Claim> claims, List<Grant> grants, long retry) {
    List<Grant> refused = new ArrayList<>(claims.size());
    for (int i = 0; i < claims.size(); i++) {
      Grant each = grants.get(i);
      boolean claimed = claims.get(i).needed() > 0 && !each.isOfOtherWindow();
      refused.add(claimed ? ExecutedClaims.refusal(each, retry) : each);
    }
    return refused;
  }

  private static Claim.Builder copy(Claim claim, List<GiveBack> giveBacks) {
    Claim.Builder copy =
        Claim.builder(claim.bucket(), claim.effectiveLimit(), claim.burst())
            .giveBacks(giveBacks)
            .debt(claim.debt())
            .debtUntil(claim.debtUntil())
            .usedAtLeast(claim.usedAtLeast());
    return claim.windowEnd() == 0 ? copy : copy.window(claim.windowBegin(), claim.windowEnd());
  }

  /** Executes claims one after the other on the same sums. */
  private static final class Calculation {
    private final SlottedBucket bucket;
    private final boolean period;
    private final long periodSlot;
    private final TreeMap<Long, Long> charged = new TreeMap<>();
    private long raised;
    private long raisedByAll;

    Calculation(BucketSpec spec, SlottedBucket bucket, OwnNodeSums own, OtherNodeSums others) {
      this.bucket = bucket;
      this.period = spec.isOfPeriod();
      this.periodSlot = period ? spec.calendar().map(Calculation::end).orElseThrow() : 0;
      charged.putAll(own.charges().tailMap(bucket.firstSlot()));
      raised = own.raised();
      raisedByAll = Math.max(own.raised(), others.raised());
      charged.forEach(bucket::charge);
      others.charges().forEach(bucket::charge);
      if (period) {
        bucket.charge(periodSlot, raisedByAll);
      }
    }

    private static long end(CalendarWindow calendar) {
      return calendar.closes(0);
    }

    Grant execute(Claim claim) {
      List<GiveBack> own = ownOf(claim.giveBacks());
      if (claim.usedAtLeast() == 0) {
        return change(
            copy(claim, own)
                .needed(claim.needed())
                .atLeast(claim.atLeast())
                .extra(claim.extra())
                .build());
      }
      // The known usage is compared after give-backs and debts, and before permits are taken.
      Grant executed = change(copy(claim, own).usedAtLeast(0).build());
      if (executed.isOfOtherWindow()) {
        return executed;
      }
      raiseTo(Math.min(MAX_USED, claim.usedAtLeast()));
      return change(
          copy(claim, List.of())
              .debt(0)
              .usedAtLeast(0)
              .needed(claim.needed())
              .atLeast(claim.atLeast())
              .extra(claim.extra())
              .build());
    }

    private void raiseTo(long known) {
      long used = bucket.charges().values().stream().mapToLong(Long::longValue).sum();
      if (known > used) {
        bucket.charge(periodSlot, known - used);
        raisedByAll += known - used;
        raised = raisedByAll;
      }
    }

    private Grant change(Claim claim) {
      SortedMap<Long, Long> before = bucket.charges();
      Grant grant = bucket.execute(claim);
      bucket.charges().forEach((slot, permits) -> charged.merge(slot, permits, Long::sum));
      before.forEach((slot, permits) -> charged.merge(slot, -permits, Long::sum));
      charged.replaceAll((slot, permits) -> Math.max(0, permits));
      return grant;
    }

    private List<GiveBack> ownOf(List<GiveBack> giveBacks) {
      if (giveBacks.isEmpty()) {
        return giveBacks;
      }
      Map<Long, Long> left = new TreeMap<>(charged);
      List<GiveBack> own = new ArrayList<>(giveBacks.size());
      for (GiveBack each : giveBacks) {
        long slot = bucket.slotOf(each.stamp());
        long permits = Math.min(each.permits(), left.getOrDefault(slot, 0L));
        if (permits > 0) {
          own.add(new GiveBack(each.stamp(), permits));
          left.merge(slot, -permits, Long::sum);
        }
      }
      return own;
    }
  }
}
