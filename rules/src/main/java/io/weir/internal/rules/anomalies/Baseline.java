package io.weir.internal.rules.anomalies;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How often one caller uses one endpoint: the minutes with requests, of which those far above the
 * others are kept out. Minutes without requests are no samples: who sleeps at night isn't unusual
 * in the morning.
 *
 * <p>What is kept out becomes the baseline together with all else of that day, if it came back in a
 * quarter of its hours: so a level that stays is the usual one a day later, and what happens every
 * few minutes is no surprise for ever.
 *
 * <p>Immutable.
 */
final class Baseline {
  static final Baseline NONE = new Baseline(Histogram.EMPTY, null);

  /** With fewer minutes nothing is unusual. */
  static final int LEAST_SAMPLES = 10;

  /**
   * The minutes of a week: then half of them are forgotten. So a weekend is still known on Friday,
   * and a drift is followed within days.
   */
  private static final int MOST_SAMPLES = 10_080;

  private final Histogram usual;
  private final @Nullable CandidateLevel candidate;

  private Baseline(Histogram usual, @Nullable CandidateLevel candidate) {
    this.usual = usual;
    this.candidate = candidate;
  }

  /** How many minutes it is made of. */
  int samples() {
    return usual.samples();
  }

  /** Its minutes. */
  Histogram usual() {
    return usual;
  }

  /**
   * How far a minute lies above the median, in spreads.
   *
   * @param requests 1 and more; the minute isn't part of the baseline yet
   * @return 0 with too few samples, and for what is slower than usual
   */
  double score(long requests) {
    if (usual.samples() < LEAST_SAMPLES) {
      return 0;
    }
    int median = usual.quantile(0.5);
    return Math.max(0, (Histogram.position((double) requests) - median) / Spread.of(usual, median));
  }

  /** The usual number of requests in a minute; 0 without samples. */
  long median() {
    return usual.samples() == 0 ? 0 : Math.round(Histogram.requests(usual.quantile(0.5)));
  }

  /**
   * With one more minute.
   *
   * @param requests 1 and more
   * @param minute since the epoch
   * @param unusual whether it is to be kept out
   */
  Baseline with(long requests, long minute, boolean unusual) {
    Histogram known = unusual ? usual : usual.with(requests);
    if (known.samples() >= MOST_SAMPLES) {
      known = known.halved();
    }
    CandidateLevel day = candidate;
    if (day == null && unusual) {
      day = CandidateLevel.since(minute);
    }
    if (day != null) {
      day = day.with(requests, minute, unusual);
      if (day.isOver(minute)) {
        known = day.hasStayed() ? day.minutes() : known;
        day = null;
      }
    }
    return new Baseline(known, day);
  }

  /** Reads what {@link #toString} has written; nothing if it is anything else. */
  static Optional<Baseline> parse(String text) {
    int bar = text.indexOf('|');
    if (bar < 0) {
      return Histogram.parse(text).map(usual -> new Baseline(usual, null));
    }
    Optional<CandidateLevel> day = CandidateLevel.parse(text.substring(bar + 1));
    return Histogram.parse(text.substring(0, bar))
        .filter(any -> day.isPresent())
        .map(usual -> new Baseline(usual, day.get()));
  }

  @Override
  public String toString() {
    return candidate == null ? usual.toString() : usual + "|" + candidate;
  }
}
