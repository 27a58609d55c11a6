package io.weir.internal.writeback;

import io.weir.store.LeasingStore;
import java.util.ArrayDeque;

/**
 * The shares of the overdraft that this node has held: what it may borrow is the least of them.
 *
 * <p>The shares that the store remembers at one moment are never more than all together, but a node
 * that joins takes some of what another has used already. So nobody borrows by more than the share
 * that was its own at every moment of the last window: then what all have borrowed in any window is
 * covered by the shares at its beginning. A node that has just joined, or was away, waits a window.
 *
 * <p>A heartbeat may have made the share smaller before its answer is here. So nothing is borrowed
 * while one is under way, and one that is never answered counts as a share of nothing.
 *
 * <p>Safe for concurrent use.
 */
final class OvershootShares {
  private static final int MOST = 64;

  /**
   * A share that this node held up to a time, and none that was larger before. Immutable.
   *
   * @param share in parts per million
   * @param until by this node's time
   */
  private record Held(int share, long until) {}

  // Rising by time and by share: of two the later is the larger, or the earlier wouldn't be the
  // least of any time.
  private final ArrayDeque<Held> past = new ArrayDeque<>();
  private int share;
  private long validUntil = Long.MIN_VALUE;
  private long asked;
  private boolean asking;

  /** A heartbeat is about to be sent. */
  synchronized void ask(long now) {
    if (asking) {
      change(0, asked); // the last one wasn't answered
    }
    asking = true;
    asked = now;
  }

  /** A heartbeat was answered: the last one, or else the answer says what may be true no more. */
  synchronized void granted(int newShare, long askedAt, long now) {
    if (askedAt != asked) {
      return;
    }
    if (now >= validUntil) {
      change(0, validUntil);
    }
    change(newShare, now);
    asking = false;
    validUntil = NodeClock.after(asked, ClockDrift.of(LeasingStore.MEMBERSHIP_MICROS));
  }

  /** The store has forgotten who has which share, so what it tells next may be too much. */
  synchronized void forget(long now) {
    change(0, now);
  }

  private void change(int next, long now) {
    while (!past.isEmpty() && past.getLast().share() >= share) {
      past.removeLast();
    }
    past.addLast(new Held(share, now));
    share = next;
    if (past.size() > MOST) {
      Held oldest = past.removeFirst();
      Held second = past.removeFirst();
      past.addFirst(new Held(oldest.share(), second.until())); // as if so little had lasted longer
    }
  }

  /** The least share of the last window, in parts per million. */
  synchronized int least(long window, long now) {
    if (asking || now >= validUntil) {
      return 0;
    }
    long from = now - ClockDrift.surely(window);
    for (Held each : past) {
      if (each.until() > from) {
        return Math.min(share, each.share());
      }
    }
    return share;
  }
}
