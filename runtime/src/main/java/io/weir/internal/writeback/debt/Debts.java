package io.weir.internal.writeback.debt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Keeps permits that were spent without a grant and that the store must still charge.
 *
 * <p>A debt is sent until the store answers: charging it twice refuses too much, never too little.
 * But only while it counts: a debt of an old window would be charged to the new one.
 *
 * <p>Confine to one thread.
 */
final class Debts {
  private static final int MAX_DEBTS = 16;
  private static final int STEPS_PER_WINDOW = 12;

  /** Permits that count until a time, from which on they need no longer be charged. Immutable. */
  record Debt(long permits, long until) {}

  private final ArrayDeque<Debt> debts = new ArrayDeque<>(0);
  private final long step;

  /**
   * Begins without debts.
   *
   * @param window how long a debt counts; debts that end within a twelfth of it are merged
   */
  Debts(long window) {
    step = Math.max(1, window / STEPS_PER_WINDOW);
  }

  void add(long permits, long until) {
    if (permits <= 0) {
      return;
    }
    Debt last = debts.peekLast();
    if (last != null && (sameStep(last.until(), until) || debts.size() >= MAX_DEBTS)) {
      debts.removeLast();
      debts.addLast(new Debt(last.permits() + permits, Math.max(last.until(), until)));
    } else {
      debts.addLast(new Debt(permits, until));
    }
  }

  private boolean sameStep(long until, long otherUntil) {
    return Math.floorDiv(until, step) == Math.floorDiv(otherUntil, step);
  }

  /** Cancels debts that aren't sent yet, the newest first. */
  void cancel(long permits) {
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

  static long sum(Collection<Debt> some) {
    long sum = 0;
    if (some.isEmpty()) {
      return sum; // mostly; an iterator would be an object for nothing
    }
    for (Debt each : some) {
      sum += each.permits();
    }
    return sum;
  }

  /** Takes out all debts, to be sent, and to be {@link #restore}d if the store doesn't answer. */
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
