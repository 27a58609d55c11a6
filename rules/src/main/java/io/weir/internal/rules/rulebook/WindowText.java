package io.weir.internal.rules.rulebook;

import io.weir.rules.RuleWindow;
import io.weir.store.BucketSpec;

/** Writes the window of a policy as rules do: {@code 60s}, {@code 1 MONTH} or {@code QUOTA}. */
public final class WindowText {
  private WindowText() {}

  /**
   * Returns the window of a bucket.
   *
   * @return seconds such as {@code 60s}, or {@code PT0.5S} if they aren't whole; a calendar window
   *     such as {@code 1 MONTH}; {@code QUOTA} for a billing period
   */
  public static String of(BucketSpec spec) {
    if (spec.isOfPeriod()) {
      return RuleWindow.ofQuota().toString();
    }
    return spec.calendar()
        .map(each -> RuleWindow.ofCalendar(each.amount(), each.unit()).toString())
        .orElseGet(
            () ->
                spec.window().toNanosPart() == 0
                    ? spec.window().toSeconds() + "s"
                    : spec.window().toString());
  }
}
