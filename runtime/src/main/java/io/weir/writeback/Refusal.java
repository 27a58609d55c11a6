package io.weir.writeback;

import io.weir.annotation.Mode;
import io.weir.store.Wish;

/**
 * The knowledge that a bucket is empty for whoever wants as much or more, by a capacity that is no
 * larger.
 *
 * <p>Immutable.
 *
 * @param until when it is time to look again: others may have given back
 * @param cost the fewest permits that weren't there
 * @param capacity by which capacity
 * @param burst by which burst
 * @param left how many were there
 * @param retryAt when {@code cost} permits will be there by ageing alone
 * @param resetAt when more than {@code left} will be
 */
record Refusal(
    long until, long cost, long capacity, long burst, long left, long retryAt, long resetAt) {

  /** Whether a wish that lacks so many permits can't be met as long as this holds. */
  boolean refuses(Wish wish, long missing) {
    return missing >= cost && wish.capacity() <= capacity && wish.burst() <= burst;
  }

  /** Whether a wish that lacks so many can be met at {@code retryAt} at the latest. */
  boolean promises(Wish wish, long missing) {
    // ELASTIC follows the load, so no time is certain, and none is worth asking again for.
    boolean elastic = wish.policy().mode() == Mode.ELASTIC;
    return missing <= cost && (elastic || wish.capacity() >= capacity && wish.burst() >= burst);
  }

  boolean isAbout(Refusal other) {
    return cost == other.cost && capacity == other.capacity && burst == other.burst;
  }
}
