package io.weir.internal.rules.usage;

import io.weir.rules.usage.RefusedCaller;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds the callers refused most in this hour and the one before, in bounded memory, by the
 * Space-Saving algorithm: when all counters are in use, a new caller takes over the lowest one,
 * whose count is then the possible error of the new one. So no count is too low, and every caller
 * that was refused more often than the lowest count is found.
 *
 * <p>Safe for concurrent use.
 */
final class MostRefusedCallers {
  private static final Comparator<Count> FEWEST_FIRST =
      Comparator.<Count>comparingLong(each -> each.refusals).thenComparing(each -> each.caller);

  private final int capacity;
  private long hour = Long.MIN_VALUE;
  private Hour current;
  private Hour last;

  private static final class Count {
    final String caller;
    long refusals;
    long error;

    Count(String caller) {
      this.caller = caller;
    }
  }

  private static final class Hour {
    final Map<String, Count> byCaller = new HashMap<>();
    final TreeSet<Count> fewestFirst = new TreeSet<>(FEWEST_FIRST);

    void add(String caller, long refusals, int capacity) {
      Count count = byCaller.get(caller);
      if (count != null) {
        fewestFirst.remove(count);
      } else {
        count = new Count(caller);
        if (byCaller.size() >= capacity) {
          Count fewest = fewestFirst.first();
          remove(fewest.caller);
          count.refusals = fewest.refusals;
          count.error = fewest.refusals;
        }
        byCaller.put(caller, count);
      }
      count.refusals += refusals;
      fewestFirst.add(count);
    }

    void remove(String caller) {
      Count count = byCaller.remove(caller);
      if (count != null) {
        fewestFirst.remove(count);
      }
    }

    /** Returns the highest count that a caller without a counter may have. */
    long unseen(int capacity) {
      return byCaller.size() < capacity ? 0 : fewestFirst.first().refusals;
    }
  }

  /**
   * Creates an empty sketch.
   *
   * @param capacity the number of callers that it counts
   */
  MostRefusedCallers(int capacity) {
    this.capacity = capacity;
    this.current = new Hour();
    this.last = new Hour();
  }

  /** Adds refusals of a caller in an hour since the epoch. */
  synchronized void add(String caller, long refusals, long in) {
    moveTo(in);
    current.add(caller, refusals, capacity);
  }

  private void moveTo(long now) {
    if (now > hour) {
      last = now == hour + 1 ? current : new Hour();
      current = new Hour();
      hour = now;
    }
  }

  synchronized void removeIf(Predicate<String> isForgotten) {
    for (Hour each : List.of(current, last)) {
      Set.copyOf(each.byCaller.keySet()).stream().filter(isForgotten).forEach(each::remove);
    }
  }

  /** Returns the callers refused most, as of an hour since the epoch. */
  synchronized List<RefusedCaller> top(int most, long now) {
    moveTo(now);
    Set<String> callers = new HashSet<>(current.byCaller.keySet());
    callers.addAll(last.byCaller.keySet());
    List<RefusedCaller> all = new ArrayList<>(callers.size());
    callers.forEach(caller -> all.add(together(caller)));
    all.sort(
        Comparator.comparingLong(RefusedCaller::refusals)
            .reversed()
            .thenComparing(RefusedCaller::caller));
    return List.copyOf(all.subList(0, Math.min(most, all.size())));
  }

  private RefusedCaller together(String caller) {
    long refusals = 0;
    long error = 0;
    for (Hour each : List.of(current, last)) {
      Count count = each.byCaller.get(caller);
      long unseen = count == null ? each.unseen(capacity) : 0;
      refusals += count == null ? unseen : count.refusals;
      error += count == null ? unseen : count.error;
    }
    return new RefusedCaller(caller, refusals, error);
  }
}
