package io.weir.internal.rules.anomalies;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Collects a level that may become the usual one: all minutes of a day since the first unusual one,
 * and in how many of its hours there was an unusual minute. Immutable.
 *
 * @param since the first minute, since the epoch
 * @param hour the last hour that had requests, counted from {@code since}
 * @param isUnusual whether that hour had an unusual minute
 * @param hours the number of hours with requests
 * @param unusualHours how many of them had an unusual minute
 * @param minutes all minutes that had requests, usual or not
 */
record CandidateBaseline(
    long since,
    long hour,
    boolean isUnusual,
    int hours,
    int unusualHours,
    RequestCountHistogram minutes) {
  private static final int MINUTES_AN_HOUR = 60;
  private static final int MINUTES_A_DAY = 1_440;

  /** Fewer hours with requests prove nothing: then the day goes on. */
  private static final int MIN_HOURS = 6;

  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,10}) ([0-9]{1,8})([+-]) ([0-9]{1,5})/([0-9]{1,5}) (.*)");

  static CandidateBaseline since(long minute) {
    return new CandidateBaseline(minute, -1, false, 0, 0, RequestCountHistogram.EMPTY);
  }

  CandidateBaseline with(long requests, long minute, boolean unusual) {
    long now = Math.max(hour, (minute - since) / MINUTES_AN_HOUR);
    boolean isNew = now > hour;
    boolean wasUnusual = !isNew && isUnusual;
    return new CandidateBaseline(
        since,
        now,
        wasUnusual || unusual,
        hours + (isNew ? 1 : 0),
        unusualHours + (unusual && !wasUnusual ? 1 : 0),
        minutes.with(requests));
  }

  /** Returns whether the day is complete. */
  boolean isComplete(long minute) {
    return minute - since >= MINUTES_A_DAY && hours >= MIN_HOURS;
  }

  boolean hasStayed() {
    return 4 * unusualHours >= hours;
  }

  static Optional<CandidateBaseline> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    return RequestCountHistogram.parse(parts.group(6))
        .map(
            minutes ->
                new CandidateBaseline(
                    Long.parseLong(parts.group(1)),
                    Long.parseLong(parts.group(2)),
                    parts.group(3).equals("+"),
                    Integer.parseInt(parts.group(4)),
                    Integer.parseInt(parts.group(5)),
                    minutes));
  }

  @Override
  public String toString() {
    return since
        + " "
        + hour
        + (isUnusual ? "+ " : "- ")
        + hours
        + "/"
        + unusualHours
        + " "
        + minutes;
  }
}
