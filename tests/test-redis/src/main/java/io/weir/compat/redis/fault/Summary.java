package io.weir.compat.redis.fault;

import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * The results of all trials.
 *
 * <p>Safe for concurrent use.
 */
public final class Summary {
  private final Queue<Row> rows = new ConcurrentLinkedQueue<>();

  private record Row(String cell, long seen, Trial.Outcome outcome) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "  %-34s seen %5d; %s", cell, seen, outcome);
    }
  }

  /** Adds the result of one that is over. */
  public void add(String cell, long seen, Trial trial) {
    rows.add(new Row(cell, seen, trial.outcome()));
  }

  @Override
  public String toString() {
    long decisions = rows.stream().mapToLong(each -> each.outcome().decisions()).sum();
    long fell = rows.stream().mapToLong(each -> each.outcome().fell()).sum();
    long degraded = rows.stream().mapToLong(each -> each.outcome().degraded()).sum();
    long worst = rows.stream().mapToLong(each -> each.outcome().worstMillis()).max().orElse(0);
    long again = rows.stream().mapToLong(each -> each.outcome().againMillis()).max().orElse(0);
    return rows.stream().map(Row::toString).collect(Collectors.joining("\n", "Faults:\n", "\n"))
        + String.format(
            Locale.ROOT,
            "Faults: %d cells green, %d decisions, %d of them in a fault, %d degraded,",
            rows.size(),
            decisions,
            fell,
            degraded)
        + String.format(
            Locale.ROOT, " the longest %d ms, exact again after at most %d ms", worst, again);
  }
}
