package io.weir.internal.writeback.lease;

import io.weir.internal.clock.DriftMargin;
import io.weir.internal.clock.NodeClock;
import io.weir.store.Claim;
import io.weir.store.Grant;

/**
 * Tracks when this node last refused a request of a strict bucket by what it knew, and whether the
 * store knows of it. Each refusal restarts the wait for the next refill, so it must be reported to
 * the store.
 *
 * <p><b>Which clock.</b> The refusal is reported in the store's time, so that a claim may be late
 * or repeated without moving the refill too far. A grant reveals that time: its stamp is the end of
 * the step, and its life lasts until then. It was made before it was received, so the reported time
 * is too early, by less than a round trip. Too late would be worse: the refill would come later
 * than the caller's refusal said.
 *
 * <p>{@link #note} is safe for concurrent use; everything else needs the bucket's lock.
 */
public final class LastRefusalTracker {
  private static final long NEVER = Long.MIN_VALUE;

  private final long window;
  private volatile long last = NEVER;
  private long told = NEVER;
  private long storeClock;
  private long clock = NEVER;
  private long sentStoreClock;
  private long sent = NEVER;

  LastRefusalTracker(long windowMicros) {
    this.window = windowMicros;
  }

  /** Notes a refusal. Of two at the same time either may count: they are a moment apart. */
  void note(long now) {
    if (now > last) {
      last = now;
    }
  }

  /** Returns whether a refusal is still to be reported, and still of use. */
  public boolean isUnreported(long now) {
    long at = last;
    return at > told && clock != NEVER && now < NodeClock.after(at, window);
  }

  /**
   * Returns the time of the last refusal by the store's clock, to be sent; 0 if there is none to
   * report.
   */
  public long send(long now) {
    if (!isUnreported(now)) {
      return 0;
    }
    sent = last;
    long since = sent - clock;
    sentStoreClock =
        storeClock + (since >= 0 ? DriftMargin.shorten(since) : -DriftMargin.lengthen(-since));
    return sentStoreClock;
  }

  /** Notes the store's clock, and which refusal it has received. */
  void learn(Claim claim, Grant grant, long now) {
    storeClock = grant.stamp() - grant.life();
    clock = now;
    if (claim.refusedAt() > 0 && claim.refusedAt() == sentStoreClock) {
      told = sent;
    }
  }

  /**
   * Returns the wait until a time of the store by ageing alone, if it starts anew: whole windows.
   */
  long anew(long wait) {
    long windows = wait / window + (wait % window == 0 ? 0 : 1);
    return windows > Long.MAX_VALUE / window ? wait : windows * window;
  }
}
