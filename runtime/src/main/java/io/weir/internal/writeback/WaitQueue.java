package io.weir.internal.writeback;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Predicate;

/**
 * The wishes that wait for one bucket, in the order in which they came.
 *
 * <p>Confine to one thread.
 */
final class WaitQueue {
  private final ArrayDeque<WaitingRequest> all = new ArrayDeque<>(0);

  void add(WaitingRequest waiter) {
    all.addLast(waiter);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** What all of them want together. */
  long needed() {
    long sum = 0;
    for (WaitingRequest each : all) {
      sum += each.wish().permits();
    }
    return sum;
  }

  /** What the most modest of them wants; 0 if nobody waits. */
  long least() {
    long least = Long.MAX_VALUE;
    for (WaitingRequest each : all) {
      least = Math.min(least, each.wish().permits());
    }
    return all.isEmpty() ? 0 : least;
  }

  /** By what they are to be counted: the largest that is in force for one of them. */
  BucketTerms terms(BucketTerms last) {
    long effectiveLimit = 1;
    long burst = 1;
    for (WaitingRequest each : all) {
      effectiveLimit = Math.max(effectiveLimit, each.wish().effectiveLimit());
      burst = Math.max(burst, each.wish().burst());
    }
    return new BucketTerms(effectiveLimit, burst, last.excess());
  }

  /** All of them go into the claim that is being made. */
  void tried() {
    all.forEach(WaitingRequest::tried);
  }

  /** Lets those go that are done, each asked in order. */
  void removeIf(Predicate<WaitingRequest> done) {
    for (Iterator<WaitingRequest> each = all.iterator(); each.hasNext(); ) {
      if (done.test(each.next())) {
        each.remove();
      }
    }
  }
}
