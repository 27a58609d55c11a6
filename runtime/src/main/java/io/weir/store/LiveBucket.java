package io.weir.store;

/**
 * A bucket in memory, on which claims are executed one after another. Made by {@link
 * BucketArithmetic#fresh} or {@link BucketArithmetic#read}.
 *
 * <p>It gives the same answers as {@link BucketArithmetic#execute} on the same bucket's bytes. A
 * store that keeps its buckets in this process uses it to save writing and reading them.
 *
 * <p>Times are microseconds since the epoch by the store's clock. Time in a bucket never runs
 * backwards: a claim at an earlier time than the last one's is executed at the last one's.
 *
 * <p>Confine to one thread, or guard by a lock.
 */
public interface LiveBucket {
  /**
   * Executes one claim: gives back, pays debts, takes.
   *
   * <p>In the grant, {@code retry} is exact: once it has passed and nothing else has happened,
   * max(1, atLeast) permits are granted. For more than the burst, which can never be granted,
   * {@code retry} is the window. Times beyond 142 years are returned as 142 years.
   *
   * @param claim a claim on this bucket
   * @param clockMicros the store's clock
   * @return the answer
   */
  Grant execute(Claim claim, long clockMicros);

  /**
   * Returns when this will equal a fresh bucket if there are no more claims, so that it may be
   * dropped.
   *
   * @return a time, in the past if the bucket may be dropped now; 142 years ahead stands for all
   *     later times
   */
  long expiresAt();

  /**
   * Returns when the last claim was executed.
   *
   * @return a time; 0 before the first claim
   */
  long lastClaimAt();

  /**
   * Until when, after the last claim, time alone changes nothing: permits granted before then are
   * charged to the same slot, and none come back.
   *
   * @return a time, exclusive; that of the last claim if time always changes something
   */
  long steadyUntil();

  /**
   * Makes a copy that takes little memory, whatever this one takes. In it, used permits may come
   * back a little later, never earlier.
   *
   * @return an independent bucket
   */
  LiveBucket condensed();

  /**
   * Encodes the bucket for {@link BucketArithmetic#read}.
   *
   * @return bytes in the current format
   */
  byte[] toBytes();
}
