package io.weir.internal.permits;

import io.weir.Policy;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import java.util.List;

/**
 * Requests a number of permits of one bucket, all of them or none, or peeks whether they are there.
 *
 * <p>Immutable.
 *
 * @param peek whether to take nothing and only report what is left
 */
public record BucketRequest(RequestTerms terms, BucketId bucket, boolean peek) {
  public Policy policy() {
    return terms.policy();
  }

  public long permits() {
    return terms.permits();
  }

  public long limit() {
    return terms.limit();
  }

  public long effectiveLimit() {
    return terms.effectiveLimit();
  }

  public long burst() {
    return terms.burst();
  }

  public long excess() {
    return terms.excess();
  }

  /** Returns this request as a claim of a store without leases. */
  public Claim claim() {
    return Claim.builder(bucket, effectiveLimit(), burst())
        .needed(peek ? 0 : permits())
        .atLeast(permits())
        .usedAtLeast(terms.used())
        .build();
  }

  /** Returns a claim that only gives back permits that this request took, at least 1. */
  public Claim giveBack(long stamp, long taken) {
    List<GiveBack> giveBacks = List.of(new GiveBack(stamp, taken));
    return Claim.builder(bucket, effectiveLimit(), burst()).giveBacks(giveBacks).build();
  }

  /**
   * Returns a claim that only reports what became of permits that this request took from a bucket
   * that a success clears.
   *
   * @param taken the number of permits, at least 1
   * @param succeeded whether it is a success, which clears
   */
  public Claim ended(long stamp, long taken, boolean succeeded) {
    Claim.Builder claim = Claim.builder(bucket, effectiveLimit(), burst());
    return succeeded
        ? claim.giveBack(new GiveBack(stamp, taken)).clearBefore(Math.max(0, stamp)).build()
        : claim.giveBack(new GiveBack(stamp, 0, taken)).build();
  }

  /**
   * Returns a claim that only charges the permits of this request, whether they are there or not.
   */
  public Claim debt() {
    return Claim.builder(bucket, effectiveLimit(), burst()).debt(permits()).build();
  }
}
