package io.weir.annotation;

/** The unit in which {@link RateLimit#window()} is counted. A day is always 24 hours. */
public enum Unit {
  /** 1/1000 of a second. */
  MILLIS(1L),
  /** A second. */
  SECONDS(1_000L),
  /** 60 seconds. */
  MINUTES(60_000L),
  /** 60 minutes. */
  HOURS(3_600_000L),
  /** 24 hours, whatever the calendar says. */
  DAYS(86_400_000L);

  private final long millis;

  Unit(long millis) {
    this.millis = millis;
  }

  /**
   * How long one of this unit is.
   *
   * @return its length in milliseconds
   */
  public long millis() {
    return millis;
  }
}
