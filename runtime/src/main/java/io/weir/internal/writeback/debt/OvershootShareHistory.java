package io.weir.internal.writeback.debt;

import io.weir.internal.clock.DriftMargin;
import io.weir.internal.clock.NodeClock;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.ArrayDeque;

/**
 * Keeps the shares of the overshoot that this node has held: it may borrow by the least of the last
 * window.
 *
 * <p>At any moment the shares of all nodes add up to one at most, but a joining node gets a part
 * that another may have used already. So a node borrows by no more than the share that it had at
 * every moment of the last window: what all nodes have borrowed in a window is then covered by the
 * shares at its beginning. A node that has just joined, or was away, waits for a window.
 *
 * <p>A heartbeat may have made the share smaller before its answer arrives. So nothing is borrowed
 * while one is under way, and one that is never answered counts as a share of zero.
 *
 * <p>Safe for concurrent use.
 */
public final class OvershootShareHistory {
  private static final int MAX_KEPT = 64;

  /**
   * The least share since the previous one in the list, in parts per million, and when it ended by
   * this node's time. Immutable.
   */
  private record Held(int share, long until) {}

  // Rising by time and by share: an earlier share that isn't smaller than a later one is never the
  // least.
  private final ArrayDeque<Held> past = new ArrayDeque<>();
  private int share;
  private long validUntil = Long.MIN_VALUE;
  private long asked;
  private boolean asking;

  /** Notes that a heartbeat is about to be sent. */
  public synchronized void ask(long now) {
    if (asking) {
      change(0, asked); // the last one wasn't answered
    }
    asking = true;
    asked = now;
  }

  /** Notes the answer to a heartbeat. Only the answer to the last one counts. */
  public synchronized void granted(Membership answer, long askedAt, long now) {
    if (askedAt != asked) {
      return;
    }
    if (now >= validUntil) {
      change(0, validUntil);
    }
    change(answer.share(), now);
    asking = false;
    long remembered = LeasingStore.membershipMicros(answer.live()); // as the store counted it
    validUntil = NodeClock.after(asked, DriftMargin.shorten(remembered));
  }

  /** Sets the share to zero: the store has lost the shares, so its next answer may be too much. */
  public synchronized void forget(long now) {
    change(0, now);
  }

  private void change(int next, long now) {
    while (!past.isEmpty() && past.getLast().share() >= share) {
      past.removeLast();
    }
    past.addLast(new Held(share, now));
    share = next;
    if (past.size() > MAX_KEPT) {
      Held oldest = past.removeFirst();
      Held second = past.removeFirst();
      past.addFirst(
          new Held(oldest.share(), second.until())); // as if the smaller share had lasted longer
    }
  }

  /** Returns the least share of the last window, in parts per million. */
  synchronized int least(long window, long now) {
    if (asking || now >= validUntil) {
      return 0;
    }
    long from = now - DriftMargin.lengthen(window);
    for (Held each : past) {
      if (each.until() > from) {
        return Math.min(share, each.share());
      }
    }
    return share;
  }
}
