package io.weir.internal.writeback.lease;

import io.weir.annotation.Mode;
import io.weir.internal.permits.RequestTerms;
import org.jspecify.annotations.Nullable;

/**
 * Remembers that a bucket has too few permits for a request of this cost or more, by an effective
 * limit that is no larger.
 *
 * <p>Immutable.
 *
 * @param until when to ask the store again: other nodes may have given back
 * @param cost the fewest permits that weren't free
 * @param effectiveLimit the effective limit by which that was so
 * @param burst the burst by which that was so
 * @param left permits that were free
 * @param retryAt when {@code cost} permits will be free by ageing alone
 * @param resetAt when more than {@code left} will be free
 * @param anew for a strict bucket, the waits that each refusal starts anew; null for others
 */
public record CachedRefusal(
    long until,
    long cost,
    long effectiveLimit,
    long burst,
    long left,
    long retryAt,
    long resetAt,
    @Nullable RestartedWait anew) {

  /**
   * The waits that each refusal of a strict bucket starts anew, in microseconds.
   *
   * <p>Safe for concurrent use.
   *
   * @param retry the time until there are enough
   * @param reset the time until there are more
   * @param refusals notes each refusal
   */
  record RestartedWait(long retry, long reset, LastRefusalTracker refusals) {}

  /** Returns whether a request that lacks this many permits is refused as long as this holds. */
  boolean refuses(RequestTerms terms, long missing) {
    return missing >= cost && terms.effectiveLimit() <= effectiveLimit && terms.burst() <= burst;
  }

  /**
   * Returns whether a request that lacks this many permits will be granted at {@code retryAt} at
   * the latest.
   */
  boolean promises(RequestTerms terms, long missing) {
    // ELASTIC follows the load, so no time is certain, and none justifies asking the store.
    boolean elastic = terms.policy().mode() == Mode.ELASTIC;
    return missing <= cost
        && (elastic || terms.effectiveLimit() >= effectiveLimit && terms.burst() >= burst);
  }

  /** Notes that a request was refused because of this, not by the store. */
  void note(long now) {
    if (anew != null) {
      anew.refusals().note(now);
    }
  }

  /** Returns microseconds. */
  long retry(long now) {
    return anew != null ? anew.retry() : Math.max(1, retryAt - now);
  }

  /** Returns microseconds. */
  long reset(long now) {
    return anew != null ? anew.reset() : Math.max(1, resetAt - now);
  }

  boolean isAbout(CachedRefusal other) {
    return cost == other.cost && effectiveLimit == other.effectiveLimit && burst == other.burst;
  }
}
