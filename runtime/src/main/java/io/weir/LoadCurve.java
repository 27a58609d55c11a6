package io.weir;

import io.weir.annotation.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The share of its limit that a policy keeps under a load: points of load and percent of the limit
 * with straight lines between them. Below the first point its percent applies, above the last point
 * that of the last.
 *
 * <p>{@code 60:100,80:0} is the whole limit up to 60 % load, half of it at 70 %, and nothing from
 * 80 % on. A curve never exceeds 100 %: the excess beyond the limit depends on the {@link
 * io.weir.annotation.Mode}.
 *
 * <p>Immutable.
 */
public final class LoadCurve {
  private static final Pattern POINT = Pattern.compile("\\s*(\\d{1,3})\\s*:\\s*(\\d{1,3})\\s*");
  private static final int WHOLE = 100;
  private static final long PERCENT = 10_000;

  private static final LoadCurve ALWAYS = parse("0:100");
  private static final LoadCurve LOW = parse("60:100,80:0");
  private static final LoadCurve NORMAL = parse("80:100,100:50");

  private final List<Point> points;

  /**
   * One point.
   *
   * @param load in percent
   * @param share percent of the limit
   */
  private record Point(int load, int share) {
    @Override
    public String toString() {
      return load + ":" + share;
    }
  }

  private LoadCurve(List<Point> points) {
    this.points = List.copyOf(points);
  }

  /**
   * Returns the default curve of a priority, which a setting may replace.
   *
   * @param priority any
   * @return {@code 60:100,80:0} for LOW, {@code 80:100,100:50} for NORMAL; for the others the whole
   *     limit under any load
   */
  public static LoadCurve of(Priority priority) {
    return switch (priority) {
      case LOW -> LOW;
      case NORMAL -> NORMAL;
      case NONE, CRITICAL -> ALWAYS;
    };
  }

  /**
   * Parses a curve from its text in settings.
   *
   * @param text points separated by commas, each {@code load:percent} in whole numbers of 0 to 100;
   *     loads increase from point to point, percents don't
   * @return the curve
   * @throws IllegalArgumentException if it is malformed; the message is the rule that it breaks
   */
  public static LoadCurve parse(String text) {
    List<Point> points = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      points.add(point(each));
    }
    for (int i = 1; i < points.size(); i++) {
      if (points.get(i).load <= points.get(i - 1).load) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "loads must increase from point to point, not %s after %s",
                points.get(i),
                points.get(i - 1)));
      }
      if (points.get(i).share > points.get(i - 1).share) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the limit must not increase with the load, as from %s to %s",
                points.get(i - 1),
                points.get(i)));
      }
    }
    return new LoadCurve(points);
  }

  private static Point point(String text) {
    Matcher parts = POINT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "must be points of load and percent of the limit such as 60:100,80:0");
    }
    return new Point(percent(parts.group(1), "loads"), percent(parts.group(2), "percents"));
  }

  private static int percent(String digits, String what) {
    int percent = Integer.parseInt(digits);
    if (percent > WHOLE) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be 0 to 100, not %d", what, percent));
    }
    return percent;
  }

  /**
   * Returns the effective limit under a load.
   *
   * @param limit 1 to 1,000,000,000
   * @param load parts per million, 0 to 1,000,000
   * @return permits, rounded down, but at least 1 unless the curve is at 0 %
   */
  public long permits(long limit, int load) {
    int next = 0;
    while (next < points.size() && points.get(next).load * PERCENT <= load) {
      next++;
    }
    if (next == 0 || next == points.size()) {
      return part(limit, points.get(Math.max(0, next - 1)).share, 1);
    }
    Point before = points.get(next - 1);
    Point after = points.get(next);
    long since = load - before.load * PERCENT;
    long width = (after.load - before.load) * PERCENT;
    return part(limit, before.share * (width - since) + after.share * since, width);
  }

  // The largest product, a limit of 10^9 times 100 % of 10^6 parts, fits into a long with ease.
  private static long part(long limit, long share, long parts) {
    return share == 0 ? 0 : Math.max(1, limit * share / (WHOLE * parts));
  }

  /**
   * Returns whether the whole limit applies under a load.
   *
   * @param load parts per million, 0 to 1,000,000
   * @return false if the curve reduces the limit
   */
  public boolean isWhole(int load) {
    // With the largest limit, even the smallest reduction shows.
    return permits(Policy.MAX_LIMIT, load) == Policy.MAX_LIMIT;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoadCurve that && points.equals(that.points);
  }

  @Override
  public int hashCode() {
    return Objects.hash(points);
  }

  /** Returns its text for settings. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    points.forEach(each -> text.append(text.isEmpty() ? "" : ",").append(each));
    return text.toString();
  }
}
