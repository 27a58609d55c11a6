package io.weir.writeback;

import io.weir.Offer;
import io.weir.annotation.Mode;

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
  boolean refuses(Offer offer, long missing) {
    return missing >= cost && offer.capacity() <= capacity && offer.burst() <= burst;
  }

  /** Whether a wish that lacks so many can be met at {@code retryAt} at the latest. */
  boolean promises(Offer offer, long missing) {
    // ELASTIC follows the load, so no time is certain, and none is worth asking again for.
    boolean elastic = offer.policy().mode() == Mode.ELASTIC;
    return missing <= cost && (elastic || offer.capacity() >= capacity && offer.burst() >= burst);
  }

  /** Microseconds until as many are there. */
  long retry(long now) {
    return Math.max(1, retryAt - now);
  }

  /** Microseconds until there are more. */
  long reset(long now) {
    return Math.max(1, resetAt - now);
  }

  boolean isAbout(Refusal other) {
    return cost == other.cost && capacity == other.capacity && burst == other.burst;
  }
}
