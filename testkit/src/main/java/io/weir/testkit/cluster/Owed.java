package io.weir.testkit.cluster;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.CalendarWindow;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Permits of one bucket that a node has admitted without a grant and whose charge the store hasn't
 * confirmed yet.
 *
 * <p>Confine to one thread.
 */
final class Owed {
  private final long window;
  private final boolean fixed;
  private final Optional<CalendarWindow> calendar;
  private final ArrayDeque<Debt> debts = new ArrayDeque<>();

  Owed(BucketId bucket) {
    window = bucket.spec().windowMicros();
    fixed = bucket.spec().algorithm() == Algorithm.FIXED_WINDOW;
    calendar = bucket.spec().calendar();
  }

  private record Debt(long permits, long since) {}

  void add(long permits, long now) {
    debts.addLast(new Debt(permits, now));
  }

  /** Notes that permits were reported to the store; the oldest first. */
  void told(long permits, long now) {
    forget(now);
    long rest = permits;
    while (rest > 0 && !debts.isEmpty()) {
      Debt first = debts.removeFirst();
      if (first.permits() > rest) {
        debts.addFirst(new Debt(first.permits() - rest, first.since()));
      }
      rest -= first.permits();
    }
  }

  /** Notes that permits were given back; the newest first. */
  void forgive(long permits) {
    long rest = permits;
    while (rest > 0 && !debts.isEmpty()) {
      Debt last = debts.removeLast();
      if (last.permits() > rest) {
        debts.addLast(new Debt(last.permits() - rest, last.since()));
      }
      rest -= last.permits();
    }
  }

  long total(long now) {
    forget(now);
    return debts.stream().mapToLong(Debt::permits).sum();
  }

  private void forget(long now) {
    debts.removeIf(
        debt -> fixed ? windowOf(debt.since()) != windowOf(now) : now - debt.since() >= window);
  }

  private long windowOf(long micros) {
    return calendar.isPresent() ? calendar.get().begin(micros) : micros / window;
  }
}
