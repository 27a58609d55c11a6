package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.ChangePosition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The newest number of {@code rule_changes} that was read, and the smaller ones that may still
 * come, as ranges: a million that were rolled back are one range. Its text is {@code
 * NEWEST;FROM-TO@SECOND,…}.
 *
 * <p>Confine to one thread.
 */
final class SequenceGaps {
  /** Beyond it neighbours are joined, and the numbers between them are read again. */
  private static final int MAX_RANGES = 1000;

  private final TreeMap<Long, Range> ranges = new TreeMap<>();
  private long newest;

  SequenceGaps(long newest) {
    this.newest = newest;
  }

  /**
   * Numbers that are missing.
   *
   * @param from the first
   * @param to the last
   * @param untilSecond how long they are looked for, in seconds since 1970
   */
  record Range(long from, long to, long untilSecond) {}

  static SequenceGaps of(ChangePosition position) {
    String[] parts = position.token().split(";", -1);
    SequenceGaps numbers = new SequenceGaps(Long.parseLong(parts[0]));
    if (!parts[1].isEmpty()) {
      for (String range : parts[1].split(",", -1)) {
        String[] bounds = range.split("[-@]", -1);
        numbers.add(
            Long.parseLong(bounds[0]), Long.parseLong(bounds[1]), Long.parseLong(bounds[2]));
      }
    }
    return numbers;
  }

  ChangePosition position() {
    StringBuilder text = new StringBuilder().append(newest).append(';');
    String comma = "";
    for (Range range : ranges.values()) {
      text.append(comma).append(range.from()).append('-').append(range.to());
      text.append('@').append(range.untilSecond());
      comma = ",";
    }
    return new ChangePosition(text.toString());
  }

  long newest() {
    return newest;
  }

  /** In ascending order; a copy. */
  List<Range> ranges() {
    return List.copyOf(ranges.values());
  }

  /** Takes note of a number that was read; those that it skips are missing from now on. */
  void found(long number, Instant until) {
    if (number > newest) {
      add(newest + 1, number - 1, until.getEpochSecond());
      newest = number;
      return;
    }
    Map.Entry<Long, Range> entry = ranges.floorEntry(number);
    if (entry != null && number <= entry.getValue().to()) {
      Range range = entry.getValue();
      ranges.remove(entry.getKey());
      add(range.from(), number - 1, range.untilSecond());
      add(number + 1, range.to(), range.untilSecond());
    }
  }

  /** Drops numbers that have been missing for long enough. */
  void forget(Instant now) {
    ranges.values().removeIf(range -> range.untilSecond() < now.getEpochSecond());
  }

  private void add(long from, long to, long untilSecond) {
    if (from <= to) {
      ranges.put(from, new Range(from, to, untilSecond));
      if (ranges.size() > MAX_RANGES) {
        joinPairs();
      }
    }
  }

  private void joinPairs() {
    List<Range> all = ranges();
    ranges.clear();
    for (int i = 0; i < all.size(); i += 2) {
      Range first = all.get(i);
      Range last = all.get(Math.min(i + 1, all.size() - 1));
      long until = Math.max(first.untilSecond(), last.untilSecond());
      ranges.put(first.from(), new Range(first.from(), last.to(), until));
    }
  }
}
