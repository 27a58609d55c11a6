package io.weir.internal.rules.anomalies;

import java.util.Arrays;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Counts minutes by their number of requests, on a log scale: 64 steps of a quarter of an octave,
 * from 1 request to 65,536. So a row has a bounded size, and a surge by the same factor is the same
 * number of steps for every caller.
 *
 * <p>Immutable.
 */
final class RequestCountHistogram {
  static final RequestCountHistogram EMPTY = new RequestCountHistogram(new int[64], 0);

  private static final int STEPS = 64;
  private static final double STEPS_AN_OCTAVE = 4;

  private final int[] minutes;
  private final int samples;

  private RequestCountHistogram(int[] minutes, int samples) {
    this.minutes = minutes;
    this.samples = samples;
  }

  /** Returns the position of a number of requests on the scale, in steps. */
  static double position(double requests) {
    return STEPS_AN_OCTAVE * Math.log(requests) / Math.log(2);
  }

  static double requests(double position) {
    return Math.pow(2, position / STEPS_AN_OCTAVE);
  }

  int samples() {
    return samples;
  }

  RequestCountHistogram with(long requests) {
    int[] more = minutes.clone();
    more[(int) Math.min(STEPS - 1, Math.round(position((double) requests)))]++;
    return new RequestCountHistogram(more, samples + 1);
  }

  /** Returns the histogram with half of each count, rounded down. */
  RequestCountHistogram halved() {
    int[] fewer = Arrays.stream(minutes).map(each -> each / 2).toArray();
    return new RequestCountHistogram(fewer, Arrays.stream(fewer).sum());
  }

  /** Returns the lowest step that at least the given part of the minutes doesn't exceed. */
  int quantile(double part) {
    double wanted = part * samples;
    int sum = 0;
    for (int step = 0; step < STEPS; step++) {
      sum += minutes[step];
      if (sum >= wanted && sum > 0) {
        return step;
      }
    }
    return 0;
  }

  int medianDistance(int from) {
    int sum = minutes[from];
    int distance = 0;
    while (2L * sum < samples) {
      distance++;
      sum += from >= distance ? minutes[from - distance] : 0;
      sum += from + distance < STEPS ? minutes[from + distance] : 0;
    }
    return distance;
  }

  /** Returns the mean seconds between two requests; 0 without requests. */
  double averageInterval() {
    double requests = 0;
    for (int step = 0; step < STEPS; step++) {
      requests += minutes[step] * requests(step);
    }
    return samples == 0 ? 0 : 60 * samples / requests;
  }

  /** Returns the standard deviation of these seconds, estimated from the counts of minutes. */
  double deviationOfIntervals() {
    double requests = 0;
    double squares = 0;
    for (int step = 0; step < STEPS; step++) {
      requests += minutes[step] * requests(step);
      squares += minutes[step] * 3_600 / requests(step);
    }
    double average = averageInterval();
    return samples == 0 ? 0 : Math.sqrt(Math.max(0, squares / requests - average * average));
  }

  /** Reads what {@link #toString} has written; empty if the text is malformed. */
  static Optional<RequestCountHistogram> parse(String text) {
    int[] minutes = new int[STEPS];
    long samples = 0;
    for (String each : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      if (!each.matches("[0-9]{1,2}:[0-9]{1,7}")) {
        return Optional.empty();
      }
      int colon = each.indexOf(':');
      int step = Integer.parseInt(each.substring(0, colon));
      if (step >= STEPS) {
        return Optional.empty();
      }
      minutes[step] += Integer.parseInt(each.substring(colon + 1));
    }
    for (int each : minutes) {
      samples += each;
    }
    return Optional.of(new RequestCountHistogram(minutes, Math.toIntExact(samples)));
  }

  /** Returns each step that has minutes, with their number: {@code 12:3 13:40}. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(" ");
    for (int step = 0; step < STEPS; step++) {
      if (minutes[step] > 0) {
        text.add(step + ":" + minutes[step]);
      }
    }
    return text.toString();
  }
}
