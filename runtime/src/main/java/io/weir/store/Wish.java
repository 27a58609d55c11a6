package io.weir.store;

import io.weir.Policy;
import java.util.List;

/**
 * What a request wants of one bucket: all of so many permits or none of them, or only to look.
 *
 * <p>Immutable.
 *
 * @param policy the policy that decides: how far to go ahead of the store, and what without it
 * @param bucket the bucket
 * @param permits how many, 1 and more
 * @param looks whether to take nothing and only tell what is left
 * @param limit permits per window that the caller was promised
 * @param capacity permits per window in force, which mode and load make of the limit
 * @param burst permits at once in force
 * @param above how many of those at once are above the limit: what SOFT marks; 0 up to burst
 */
public record Wish(
    Policy policy,
    Bucket bucket,
    long permits,
    boolean looks,
    long limit,
    long capacity,
    long burst,
    long above) {
  /**
   * The wish as a claim of a store without leases.
   *
   * @return a claim that takes, or one that looks
   */
  public Claim claim() {
    return looks
        ? Claim.look(bucket, permits, capacity, burst)
        : Claim.of(bucket, permits, capacity, burst);
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
    return new Claim(bucket, 0, 0, 0, back, 0, capacity, burst);
  }

  /**
   * A claim that charges the permits of this wish, whatever is free.
   *
   * @return a claim that takes nothing else
   */
  public Claim debt() {
    return new Claim(bucket, 0, 0, 0, List.of(), permits, capacity, burst);
  }
}
