package io.weir.bucket4j;

import io.github.bucket4j.BucketState;
import io.github.bucket4j.VerboseResult;
import io.weir.store.GiveBack;
import io.weir.store.Grant;

/**
 * A bucket as one command of Bucket4j left it, read by the terms of the claim.
 *
 * <p>The stamp of a grant is the time at which the bucket will have been refilled with the last of
 * what it lacks now, the grant's own permits among it. So without anything being remembered, a
 * give-back knows how much of its grant has been refilled meanwhile, which must not come back
 * twice.
 *
 * <p>Immutable.
 *
 * @param terms what is in force
 * @param now the time of the command, in nanoseconds by the clock that the backend goes by
 * @param available tokens there are; below 0 in debt
 * @param parts what has been added of the next one, in parts of 1/window
 */
record BucketReply(BucketConfig terms, long now, long available, long parts) {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long LONGEST = 1L << 52;

  static BucketReply of(BucketConfig terms, VerboseResult<?> result) {
    BucketState state = result.getState();
    long available = state.getAvailableTokens();
    long parts = available >= terms.burst() ? 0 : state.getRoundingError(0);
    return new BucketReply(
        terms, result.getOperationTimeNanos(), Math.min(available, terms.burst()), parts);
  }

  long left() {
    return Math.max(0, available);
  }

  Grant grant(long permits, long atLeast) {
    long wanted = Math.max(1, atLeast);
    return Grant.builder()
        .granted(permits, stamp(), 0)
        .left(left())
        .retry(retry(wanted))
        .reset(reset())
        .build();
  }

  /**
   * How much of a grant is still missing. To the nearest, since tokens are whole: what is given
   * back a moment later has been refilled by a small part, and mustn't be lost for it.
   */
  long creditable(GiveBack back) {
    long unfilled = back.stamp() - now;
    return unfilled <= 0 ? 0 : Math.min(back.permits(), terms.tokens(unfilled));
  }

  private long stamp() {
    return now + terms.time(terms.burst() - available, parts);
  }

  private long retry(long wanted) {
    if (available >= wanted) {
      return 0;
    }
    return wanted > terms.burst() ? terms.window() / MICRO : waitFor(wanted);
  }

  private long reset() {
    return available >= terms.burst() ? 0 : waitFor(left() + 1);
  }

  // Most backends have a clock of milliseconds: at x.9 ms it says x, and a wait of 1.1 ms that
  // ends at its x + 1 would be short. In whole milliseconds none is.
  private long waitFor(long wanted) {
    long nanos = terms.time(wanted - available, parts);
    long millis = nanos / MILLI + (nanos % MILLI == 0 ? 0 : 1);
    return Math.min(LONGEST, millis * (MILLI / MICRO));
  }
}
