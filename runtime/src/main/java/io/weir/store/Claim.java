package io.weir.store;

import java.util.List;

/**
 * What a node asks of the store for one bucket, in one step: give back, pay debts, take.
 *
 * <p>The store first credits {@code backs} and charges {@code owed}, then grants {@code needed} as
 * far as it goes, nothing if that is less than {@code atLeast}, and of {@code extra} (only when
 * {@code needed} was met) at most an eighth of what is then free. A claim that needs nothing looks:
 * its {@code atLeast} only says how many permits the answer's {@code retry} is about.
 *
 * <p>Immutable.
 *
 * @param bucket the bucket
 * @param needed permits that requests are waiting for; 0 to take nothing
 * @param atLeast the fewest that are of use, 0 up to needed; any number if nothing is needed
 * @param extra permits for a lease
 * @param backs what is given back
 * @param owed what was spent without a grant and is charged whatever is free
 * @param capacity permits per window in force at this node: the rate of a bucket algorithm
 * @param burst permits at once in force: the capacity for window algorithms, the depth of the
 *     bucket for the others
 */
public record Claim(
    Bucket bucket,
    long needed,
    long atLeast,
    long extra,
    List<GiveBack> backs,
    long owed,
    long capacity,
    long burst) {
  /**
   * Validates.
   *
   * @param bucket see the record
   * @param needed see the record
   * @param atLeast see the record
   * @param extra see the record
   * @param backs see the record
   * @param owed see the record
   * @param capacity see the record
   * @param burst see the record
   * @throws IllegalArgumentException if an amount is negative, capacity or burst is 0, or atLeast
   *     is more than what is needed
   */
  public Claim {
    if (needed < 0 || atLeast < 0 || extra < 0 || owed < 0 || capacity < 1 || burst < 1) {
      throw new IllegalArgumentException("negative amount in a claim of " + bucket);
    }
    if (needed > 0 && atLeast > needed) {
      throw new IllegalArgumentException("atLeast " + atLeast + " is more than needed " + needed);
    }
    backs = List.copyOf(backs);
  }

  /**
   * A claim for one request: all of its permits or none, nothing for a lease.
   *
   * @param bucket the bucket
   * @param permits 0 to take nothing
   * @param capacity permits per window in force
   * @param burst permits at once in force
   * @return the claim
   */
  public static Claim of(Bucket bucket, long permits, long capacity, long burst) {
    return new Claim(bucket, permits, permits, 0, List.of(), 0, capacity, burst);
  }

  /**
   * A claim that takes nothing and asks what is left, and when so many permits would be free.
   *
   * @param bucket the bucket
   * @param permits how many the answer's {@code retry} is about
   * @param capacity permits per window in force
   * @param burst permits at once in force
   * @return the claim
   */
  public static Claim look(Bucket bucket, long permits, long capacity, long burst) {
    return new Claim(bucket, 0, permits, 0, List.of(), 0, capacity, burst);
  }
}
