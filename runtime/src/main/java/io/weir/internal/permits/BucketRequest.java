package io.weir.internal.permits;

import io.weir.Policy;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import java.util.List;

/**
 * What a request wants of one bucket: all of so many permits or none of them, or only to look.
 *
 * <p>Immutable.
 *
 * @param terms what is in force for it: how many permits, by which limit, and the policy, which
 *     says how far to go ahead of the store and what without it
 * @param bucket the bucket
 * @param looks whether to take nothing and only tell what is left
 */
public record BucketRequest(RequestTerms terms, BucketId bucket, boolean looks) {
  /**
   * The policy that decides.
   *
   * @return the offer's
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
   * What the caller was promised.
   *
   * @return permits per window
   */
  public long limit() {
    return terms.limit();
  }

  /**
   * What mode and load make of the limit.
   *
   * @return permits per window in force
   */
  public long effectiveLimit() {
    return terms.effectiveLimit();
  }

  /**
   * How many permits a fresh bucket has.
   *
   * @return permits at once in force
   */
  public long burst() {
    return terms.burst();
  }

  /**
   * How many of those at once are above the limit: what SOFT marks.
   *
   * @return 0 up to the burst
   */
  public long excess() {
    return terms.excess();
  }

  /**
   * The wish as a claim of a store without leases.
   *
   * @return a claim that takes, or one that looks
   */
  public Claim claim() {
    return looks
        ? Claim.peek(bucket, permits(), effectiveLimit(), burst())
        : Claim.of(bucket, permits(), effectiveLimit(), burst());
  }

  /**
   * A claim that gives the permits of this wish back.
   *
   * @param stamp the grant's stamp
   * @param taken how many of them, 1 and more
   * @return a claim that takes nothing
   */
  public Claim giveBack(long stamp, long taken) {
    List<GiveBack> back = List.of(new GiveBack(stamp, taken));
    return Claim.builder(bucket, effectiveLimit(), burst()).giveBacks(back).build();
  }

  /**
   * A claim that charges the permits of this wish, whatever is free.
   *
   * @return a claim that takes nothing else
   */
  public Claim debt() {
    return Claim.builder(bucket, effectiveLimit(), burst()).debt(permits()).build();
  }
}
