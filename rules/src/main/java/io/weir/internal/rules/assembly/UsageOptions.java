package io.weir.internal.rules.assembly;

import io.weir.internal.rules.maintenance.LeaderElection;
import io.weir.internal.rules.maintenance.RetentionPeriods;
import io.weir.internal.rules.nodes.NodeAssembly;
import io.weir.internal.rules.usage.UsageWriter;
import io.weir.internal.value.DurationText;
import java.time.Duration;

/**
 * The options of recorded usage, its retention, and the reports of this node.
 *
 * @param isOn whether usage and violations are recorded
 * @param interval the time from the end of a write to the next one
 * @param retention the retention of each kind of row
 * @param hold the time for which a node is the leader after a renewal
 * @param reportPause the time from the end of a report of this node to the next one
 */
public record UsageOptions(
    boolean isOn,
    Duration interval,
    RetentionPeriods retention,
    Duration hold,
    Duration reportPause) {
  public static final Duration MIN_INTERVAL = Duration.ofMillis(100);

  public static final Duration MAX_INTERVAL = Duration.ofMinutes(1);

  public static final UsageOptions USUAL =
      new UsageOptions(
          true, UsageWriter.USUAL_INTERVAL, RetentionPeriods.USUAL, LeaderElection.USUAL_HOLD);

  /** With reports as often as usual. */
  public UsageOptions(boolean isOn, Duration interval, RetentionPeriods retention, Duration hold) {
    this(isOn, interval, retention, hold, NodeAssembly.USUAL_PAUSE);
  }

  /** Throws {@link IllegalArgumentException} if the interval is out of range. */
  public UsageOptions {
    if (interval.compareTo(MIN_INTERVAL) < 0 || interval.compareTo(MAX_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "the interval of usage must be 100 ms to 1 minute, not "
              + DurationText.inWords(interval));
    }
  }

  /** Turns recording on or off. */
  public UsageOptions on(boolean wanted) {
    return new UsageOptions(wanted, interval, retention, hold, reportPause);
  }
}
