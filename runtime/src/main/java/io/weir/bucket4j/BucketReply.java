package io.weir.bucket4j;

import io.github.bucket4j.BucketState;
import io.github.bucket4j.VerboseResult;
import io.weir.store.GiveBack;
import io.weir.store.Grant;

/**
 * The state of a bucket after one command of Bucket4j.
 *
 * <p>The stamp of a grant is the time at which the bucket will be full again, with the grant's own
 * permits. So a give-back knows from its stamp alone how many of the permits have been refilled
 * meanwhile, which must not be added twice.
 *
 * <p>Immutable.
 *
 * @param config the effective limit of the claim
 * @param now the time of the command, in nanoseconds by the backend's clock
 * @param available tokens in the bucket; below 0 in debt
 * @param parts the part of the next token that has been added already, in units of 1/window
 */
record BucketReply(BucketConfig config, long now, long available, long parts) {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long MAX_WAIT_MICROS = 1L << 52;

  static BucketReply of(BucketConfig config, VerboseResult<?> result) {
    BucketState state = result.getState();
    long available = state.getAvailableTokens();
    long parts = available >= config.burst() ? 0 : state.getRoundingError(0);
    return new BucketReply(
        config, result.getOperationTimeNanos(), Math.min(available, config.burst()), parts);
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
   * Computes how many permits of a give-back haven't been refilled yet. Rounds to the nearest,
   * since tokens are whole: permits that are given back after a moment, with a small part refilled,
   * must not be lost.
   */
  long creditable(GiveBack back) {
    long unfilled = back.stamp() - now;
    return unfilled <= 0 ? 0 : Math.min(back.permits(), config.tokens(unfilled));
  }

  private long stamp() {
    return now + config.time(config.burst() - available, parts);
  }

  private long retry(long wanted) {
    if (available >= wanted) {
      return 0;
    }
    return wanted > config.burst() ? config.window() / MICRO : waitFor(wanted);
  }

  private long reset() {
    return available >= config.burst() ? 0 : waitFor(left() + 1);
  }

  // Most backends have a clock of milliseconds, which reads x at x.9 ms: a wait of 1.1 ms that ends
  // at its x + 1 would be too short. A wait of whole milliseconds never is.
  private long waitFor(long wanted) {
    long nanos = config.time(wanted - available, parts);
    long millis = nanos / MILLI + (nanos % MILLI == 0 ? 0 : 1);
    return Math.min(MAX_WAIT_MICROS, millis * (MILLI / MICRO));
  }
}
