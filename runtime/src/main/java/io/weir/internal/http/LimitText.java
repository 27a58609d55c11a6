package io.weir.internal.http;

import io.weir.Policy;
import io.weir.annotation.Count;
import io.weir.internal.value.DurationText;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;

/** Describes limits for people. */
final class LimitText {
  private LimitText() {}

  /**
   * Describes a limit: {@code 5 requests per 10 minutes}, {@code 100 permits per month in
   * Europe/Berlin}.
   *
   * @param limit the caller's
   * @param refill the permits of it that come back at once; 0 without a refill
   * @param isOneEach whether a request takes one permit, so that permits are requests
   */
  static String of(Policy policy, long limit, long refill, boolean isOneEach) {
    BucketSpec spec = policy.spec();
    String counted = counted(limit, isOneEach ? ofOneEach(policy.count()) : "permit");
    String window =
        spec.calendar().map(LimitText::text).orElseGet(() -> DurationText.asWindow(spec.window()));
    return refill == 0
        ? counted + " per " + window
        : counted + " at once and " + refill + " more every " + window;
  }

  /** Writes a number of permits: {@code 1 permit}, {@code 10 permits}. */
  static String permits(long number) {
    return counted(number, "permit");
  }

  private static String counted(long limit, String what) {
    return limit + " " + what + (limit == 1 ? "" : "s");
  }

  private static String ofOneEach(Count count) {
    return switch (count) {
      case ALL -> "request";
      case FAILURES -> "failed request";
      case SUCCESSES -> "successful request";
    };
  }

  private static String text(CalendarWindow calendar) {
    return calendar.isPeriod()
        ? "billing period"
        : DurationText.asWindow(calendar.amount(), calendar.unit()) + " in " + calendar.zone();
  }
}
