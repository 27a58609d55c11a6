package io.weir.internal.permits;

import io.weir.Policy;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import java.util.List;

/**
 * What a request asks of one bucket: a number of permits, all of them or none; or only whether they
 * are there.
 *
 * <p>Immutable.
 *
 * @param terms how many permits, under which policy and limits
 * @param bucket the bucket
 * @param peek whether to take nothing and only tell what is left
 */
public record BucketRequest(PolicyTerms terms, BucketId bucket, boolean peek) {
  /**
   * The policy that decides.
   *
   * @return the policy of the terms
   */
  public Policy policy() {
    return terms.policy();
  }

  /**
   * How many permits it is about.
   *
   * @return 1 and more
   */
  public long permits() {
    return terms.permits();
  }

  /**
   * The limit that the caller is told.
   *
   * @return permits per window
   */
  public long limit() {
    return terms.limit();
  }

  /**
   * The limit in force, which mode and load make of the one that the caller is told.
   *
   * @return permits per window
   */
  public long effectiveLimit() {
    return terms.effectiveLimit();
  }

  /**
   * How many permits a fresh bucket has.
   *
   * @return permits at once
   */
  public long burst() {
    return terms.burst();
  }

  /**
   * How many of those are beyond the limit: the ones that SOFT marks.
   *
   * @return 0 up to the burst
   */
  public long excess() {
    return terms.excess();
  }

  /**
   * This request as a claim of a store without leases.
   *
   * @return a claim that takes or peeks
   */
  public Claim claim() {
    return Claim.builder(bucket, effectiveLimit(), burst())
        .needed(peek ? 0 : permits())
        .atLeast(permits())
        .usedAtLeast(terms.used())
        .build();
  }

  /**
   * A claim that gives permits back that this request took.
   *
   * @param stamp the grant's stamp
   * @param taken how many, 1 and more
   * @return a claim that takes nothing
   */
  public Claim giveBack(long stamp, long taken) {
    List<GiveBack> giveBacks = List.of(new GiveBack(stamp, taken));
    return Claim.builder(bucket, effectiveLimit(), burst()).giveBacks(giveBacks).build();
  }

  /**
   * A claim that charges the permits of this request, whether they are there or not.
   *
   * @return a claim that takes nothing else
   */
  public Claim debt() {
    return Claim.builder(bucket, effectiveLimit(), burst()).debt(permits()).build();
  }
}
