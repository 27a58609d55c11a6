package io.weir.internal.writeback;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Permits that were spent without a grant and that the store must still be told of.
 *
 * <p>A debt is told until the store answers, since charging it twice refuses too much and never too
 * little; but only while it counts: one of a window that is over would be charged to the next.
 *
 * <p>Confine to one thread.
 */
final class Debts {
  private static final int MOST = 16;
  private static final int PARTS = 12;

  /**
   * Permits that count until a time. Immutable.
   *
   * @param permits how many
   * @param until when they needn't be charged any more
   */
  record Debt(long permits, long until) {}

  private final ArrayDeque<Debt> debts = new ArrayDeque<>(0);
  private final long step;

  /**
   * None yet.
   *
   * @param window how long a debt counts; a twelfth of it is how far apart two are told apart
   */
  Debts(long window) {
    step = Math.max(1, window / PARTS);
  }

  void add(long permits, long until) {
    if (permits <= 0) {
      return;
    }
    Debt last = debts.peekLast();
    if (last != null && (together(last.until(), until) || debts.size() >= MOST)) {
      debts.removeLast();
      debts.addLast(new Debt(last.permits() + permits, Math.max(last.until(), until)));
    } else {
      debts.addLast(new Debt(permits, until));
    }
  }

  private boolean together(long until, long otherUntil) {
    return Math.floorDiv(until, step) == Math.floorDiv(otherUntil, step);
  }

  /** Takes back what isn't told yet, the newest first. */
  void forgive(long permits) {
    long rest = permits;
    while (rest > 0 && !debts.isEmpty()) {
      Debt last = debts.removeLast();
      if (last.permits() > rest) {
        debts.addLast(new Debt(last.permits() - rest, last.until()));
      }
      rest -= last.permits();
    }
  }

  void expire(long now) {
    debts.removeIf(each -> now >= each.until());
  }

  boolean isEmpty() {
    return debts.isEmpty();
  }

  long total() {
    return sum(debts);
  }

  static long sum(Iterable<Debt> some) {
    long sum = 0;
    for (Debt each : some) {
      sum += each.permits();
    }
    return sum;
  }

  /** All of it, to be told; to be {@link #restore}d if the store doesn't answer. */
  List<Debt> take() {
    if (debts.isEmpty()) {
      return List.of();
    }
    List<Debt> all = new ArrayList<>(debts);
    debts.clear();
    return all;
  }

  void restore(List<Debt> unanswered) {
    List<Debt> newer = take();
    unanswered.forEach(each -> add(each.permits(), each.until()));
    newer.forEach(each -> add(each.permits(), each.until()));
  }
}
