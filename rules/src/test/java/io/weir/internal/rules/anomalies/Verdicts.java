package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.anomalies.Trace.Kind;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** Counts how often a rule was right about the minutes of labelled traces. */
final class Verdicts {
  /** Alarms within so many minutes count as one. */
  private static final int ALARM = 10;

  private long right;
  private long wrong;
  private long missed;
  private long surges;
  private long foundSurges;
  private long falseAlarms;
  private long falseAlarmsOfFirstDay;
  private int traces;

  /** Scores minute after minute of one trace. */
  interface Rule {
    double score(int minute);
  }

  /**
   * Evaluates a rule by traces of a kind.
   *
   * @return the results by the threshold of scores
   */
  static Map<Double, Verdicts> of(
      Kind kind, long firstSeed, int seeds, BiFunction<Trace, Long, Rule> rule) {
    Map<Double, Verdicts> all = new TreeMap<>();
    List.of(ScoreThresholds.MONITOR, ScoreThresholds.THROTTLE, ScoreThresholds.BLOCK)
        .forEach(above -> all.put(above, new Verdicts()));
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      Trace trace = Trace.of(kind, seed);
      Rule of = rule.apply(trace, seed);
      double[] scores = IntStream.range(0, trace.minutes().length).mapToDouble(of::score).toArray();
      all.forEach((above, verdicts) -> verdicts.add(trace, scores, above));
    }
    return all;
  }

  /** Scores by this library's rule. */
  static Rule ours(Trace trace) {
    Baseline[] baseline = {Baseline.NONE};
    return minute -> {
      int requests = trace.minutes()[minute];
      if (requests == 0) {
        return 0;
      }
      double score = baseline[0].score(requests);
      baseline[0] =
          baseline[0].with(requests, 29_000_000 + minute, score > ScoreThresholds.MONITOR);
      return score;
    };
  }

  /** Scores by the rule of textbooks: the highest score of the requests of a minute. */
  static Rule textbook(Trace trace, long seed) {
    TextbookRule rule = new TextbookRule();
    Random random = new Random(seed);
    return minute -> {
      double most = 0;
      for (double second : trace.times(minute, random)) {
        most = Math.max(most, Math.abs(rule.score(minute * 60.0 + second)));
      }
      return most;
    };
  }

  private void add(Trace trace, double[] scores, double above) {
    traces++;
    int quietFrom = 0;
    boolean isFound = false;
    for (int minute = 0; minute < scores.length; minute++) {
      boolean isMisused = trace.misused()[minute];
      if (isMisused && (minute == 0 || !trace.misused()[minute - 1])) {
        surges++;
        isFound = false;
      }
      boolean isAlarm = scores[minute] > above;
      if (isAlarm && isMisused) {
        right++;
        foundSurges += isFound ? 0 : 1;
        isFound = true;
      } else if (isMisused) {
        missed++;
      } else if (isAlarm) {
        wrong++;
        if (minute >= quietFrom) {
          quietFrom = minute + ALARM;
          falseAlarm(minute);
        }
      }
    }
  }

  private void falseAlarm(int minute) {
    if (minute < Trace.A_DAY) {
      falseAlarmsOfFirstDay++;
    } else {
      falseAlarms++;
    }
  }

  /** Returns the part of the minutes with an alarm that were misused. */
  double precision() {
    return right + wrong == 0 ? 1 : (double) right / (right + wrong);
  }

  /** Returns the part of the misused minutes that had an alarm. */
  double recall() {
    return right + missed == 0 ? 1 : (double) right / (right + missed);
  }

  /** Returns the part of the surges that had an alarm in one of their minutes. */
  double found() {
    return surges == 0 ? 1 : (double) foundSurges / surges;
  }

  /** Returns the false alarms per day from the second day on; those within ten minutes are one. */
  double falseAlarmsADay() {
    return (double) falseAlarms / (traces * (Trace.DAYS - 1));
  }

  /** Returns the false alarms on the first day, before which nothing was known. */
  double falseAlarmsOfTheFirstDay() {
    return (double) falseAlarmsOfFirstDay / traces;
  }
}
