package io.weir.internal.rules.anomalies;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Learns how often one caller usually calls one endpoint, from its minutes with requests. Minutes
 * far above the others are kept out. Minutes without requests are no samples, so that a caller that
 * pauses at night isn't unusual in the morning.
 *
 * <p>If unusual minutes come back in a quarter of the hours of a day, that whole day becomes the
 * baseline: so a level that lasts is the usual one a day later, and so are regular bursts.
 *
 * <p>Immutable.
 */
final class Baseline {
  static final Baseline NONE = new Baseline(RequestCountHistogram.EMPTY, null);

  /** With fewer minutes, nothing is unusual. */
  static final int MIN_SAMPLES = 10;

  /**
   * The minutes of a week. At that number, half of them are forgotten: so a weekend is still known
   * on Friday, and a drift is followed within days.
   */
  private static final int MAX_SAMPLES = 10_080;

  private final RequestCountHistogram usual;
  private final @Nullable CandidateBaseline candidate;

  private Baseline(RequestCountHistogram usual, @Nullable CandidateBaseline candidate) {
    this.usual = usual;
    this.candidate = candidate;
  }

  int samples() {
    return usual.samples();
  }

  RequestCountHistogram usual() {
    return usual;
  }

  /**
   * Returns how far a minute lies above the median, in spreads.
   *
   * @param requests of a minute that isn't part of the baseline yet; at least 1
   * @return 0 with too few samples, and for fewer requests than usual
   */
  double score(long requests) {
    if (usual.samples() < MIN_SAMPLES) {
      return 0;
    }
    int median = usual.quantile(0.5);
    return Math.max(
        0,
        (RequestCountHistogram.position((double) requests) - median)
            / BaselineSpread.of(usual, median));
  }

  /** Returns the usual number of requests in a minute; 0 without samples. */
  long median() {
    return usual.samples() == 0
        ? 0
        : Math.round(RequestCountHistogram.requests(usual.quantile(0.5)));
  }

  /**
   * Returns the baseline with one more minute.
   *
   * @param requests at least 1
   * @param minute since the epoch
   * @param unusual whether it is to be kept out
   */
  Baseline with(long requests, long minute, boolean unusual) {
    RequestCountHistogram known = unusual ? usual : usual.with(requests);
    if (known.samples() >= MAX_SAMPLES) {
      known = known.halved();
    }
    CandidateBaseline day = candidate;
    if (day == null && unusual) {
      day = CandidateBaseline.since(minute);
    }
    if (day != null) {
      day = day.with(requests, minute, unusual);
      if (day.isComplete(minute)) {
        known = day.hasStayed() ? day.minutes() : known;
        day = null;
      }
    }
    return new Baseline(known, day);
  }

  /** Reads what {@link #toString} has written; empty if the text is malformed. */
  static Optional<Baseline> parse(String text) {
    int bar = text.indexOf('|');
    if (bar < 0) {
      return RequestCountHistogram.parse(text).map(usual -> new Baseline(usual, null));
    }
    Optional<CandidateBaseline> day = CandidateBaseline.parse(text.substring(bar + 1));
    return RequestCountHistogram.parse(text.substring(0, bar))
        .filter(any -> day.isPresent())
        .map(usual -> new Baseline(usual, day.get()));
  }

  @Override
  public String toString() {
    return candidate == null ? usual.toString() : usual + "|" + candidate;
  }
}
