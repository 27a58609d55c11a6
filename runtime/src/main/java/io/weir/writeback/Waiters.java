package io.weir.writeback;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Predicate;

/**
 * The wishes that wait for one bucket, in the order in which they came.
 *
 * <p>Confine to one thread.
 */
final class Waiters {
  private final ArrayDeque<Waiter> all = new ArrayDeque<>(0);

  void add(Waiter waiter) {
    all.addLast(waiter);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** What all of them want together. */
  long needed() {
    long sum = 0;
    for (Waiter each : all) {
      sum += each.wish().permits();
    }
    return sum;
  }

  /** What the most modest of them wants; 0 if nobody waits. */
  long least() {
    long least = Long.MAX_VALUE;
    for (Waiter each : all) {
      least = Math.min(least, each.wish().permits());
    }
    return all.isEmpty() ? 0 : least;
  }

  /** By what they are to be counted: the largest that is in force for one of them. */
  Terms terms(Terms last) {
    long capacity = 1;
    long burst = 1;
    for (Waiter each : all) {
      capacity = Math.max(capacity, each.wish().capacity());
      burst = Math.max(burst, each.wish().burst());
    }
    return new Terms(capacity, burst, last.above());
  }

  /** All of them go into the claim that is being made. */
  void tried() {
    all.forEach(Waiter::tried);
  }

  /** Lets those go that are done, each asked in order. */
  void removeIf(Predicate<Waiter> done) {
    for (Iterator<Waiter> each = all.iterator(); each.hasNext(); ) {
      if (done.test(each.next())) {
        each.remove();
      }
    }
  }
}
