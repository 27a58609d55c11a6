package io.weir.internal.rules.outcomes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds what a node decided in an interval, as it is written into one row: the busiest policies
 * that fit into {@value #MAX_CHARACTERS} characters, and the totals of all. Immutable.
 *
 * @param millis the length of the interval; 0 if the node has just started
 * @param totals the counts of all policies together
 * @param policies the counts by policy, busiest first
 * @param leftOut the number of policies that didn't fit
 */
public record IntervalOutcomes(
    long millis, OutcomeSums totals, Map<String, OutcomeSums> policies, long leftOut) {
  /** Stands for a node that has no interval yet. */
  public static final IntervalOutcomes NONE =
      new IntervalOutcomes(0, OutcomeSums.NONE, Map.of(), 0);

  static final int MAX_CHARACTERS = 32_768;

  private static final String SEPARATOR = " ";
  private static final String EQUALS = "=";
  private static final int COUNTS = 5;

  private static final Comparator<Map.Entry<String, OutcomeSums>> BUSIEST_FIRST =
      Comparator.<Map.Entry<String, OutcomeSums>>comparingLong(each -> each.getValue().decisions())
          .reversed()
          .thenComparing(Map.Entry::getKey);

  /**
   * Chooses what fits.
   *
   * @param millis the length of the interval, more than 0
   */
  public static IntervalOutcomes of(long millis, Map<String, OutcomeSums> added) {
    OutcomeSums totals = added.values().stream().reduce(OutcomeSums.NONE, OutcomeSums::plus);
    List<Map.Entry<String, OutcomeSums>> sorted = new ArrayList<>(added.entrySet());
    sorted.sort(BUSIEST_FIRST);
    Map<String, OutcomeSums> policies = new LinkedHashMap<>();
    int length = entry("", totals).length();
    for (Map.Entry<String, OutcomeSums> each : sorted) {
      length += SEPARATOR.length() + entry(each.getKey(), each.getValue()).length();
      if (length > MAX_CHARACTERS) {
        break;
      }
      policies.put(each.getKey(), each.getValue());
    }
    return new IntervalOutcomes(millis, totals, policies, (long) added.size() - policies.size());
  }

  /** Returns the text of a row: {@code =7,1 search=5,1 login=2}, the totals first. */
  public String text() {
    StringBuilder text = new StringBuilder(entry("", totals));
    policies.forEach((policy, sums) -> text.append(SEPARATOR).append(entry(policy, sums)));
    return text.toString();
  }

  /** Leaves out zeros at the end. */
  private static String entry(String policy, OutcomeSums sums) {
    String counts =
        sums.admitted()
            + ","
            + sums.refused()
            + ","
            + sums.soft()
            + ","
            + sums.shadowRefused()
            + ","
            + sums.degraded();
    return policy + EQUALS + counts.replaceAll("(,0)+$", "");
  }

  /**
   * Reads the text of a row.
   *
   * @param text as {@link #text} has made it
   * @throws IllegalArgumentException if the text is anything else
   */
  public static IntervalOutcomes parse(long millis, String text, long leftOut) {
    OutcomeSums totals = OutcomeSums.NONE;
    Map<String, OutcomeSums> policies = new LinkedHashMap<>();
    for (String each : text.split(SEPARATOR, -1)) {
      int end = each.indexOf(EQUALS);
      if (end < 0) {
        throw new IllegalArgumentException("'" + each + "' isn't the counts of a policy");
      }
      OutcomeSums sums = sums(each.substring(end + EQUALS.length()));
      if (end == 0) {
        totals = sums;
      } else {
        policies.put(each.substring(0, end), sums);
      }
    }
    return new IntervalOutcomes(millis, totals, policies, leftOut);
  }

  private static OutcomeSums sums(String text) {
    String[] counts = text.split(",", -1);
    if (counts.length > COUNTS) {
      throw new IllegalArgumentException("'" + text + "' has more than " + COUNTS + " counts");
    }
    long[] all = new long[COUNTS];
    for (int i = 0; i < counts.length; i++) {
      all[i] = Long.parseLong(counts[i]);
      if (all[i] < 0) {
        throw new IllegalArgumentException("'" + text + "' has a count below 0");
      }
    }
    return new OutcomeSums(all[0], all[1], all[2], all[3], all[4]);
  }
}
