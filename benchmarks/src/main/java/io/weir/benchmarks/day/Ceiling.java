package io.weir.benchmarks.day;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import java.util.Locale;

/**
 * The highest rate at which a script for each request keeps its p99 below 5 ms.
 *
 * <p>Confine to one thread.
 */
final class Ceiling {
  private static final double LONGEST_MICROS = 5_000;
  private static final double LOWEST = 500;
  private static final double HIGHEST = 200_000;
  private static final double STEP = 1.5;
  private static final double BACK = 0.93;

  private final Report report;
  private final int warmUpMillis;
  private final int millis;
  private final int lastingMillis;
  private final int attempts;
  private final int halvings;

  Ceiling(Effort effort, Report report) {
    this.report = report;
    this.warmUpMillis = effort.of(100, 300, 1_000);
    this.millis = effort.of(100, 500, 2_500);
    this.lastingMillis = effort.of(100, 500, 8_000);
    this.attempts = effort.of(1, 1, 2);
    this.halvings = effort.of(0, 1, 3);
  }

  /** Looks for it, in requests a second. */
  double find(double first) throws InterruptedException {
    double good = first;
    while (good > LOWEST && !holds(good)) {
      good /= STEP;
    }
    double bad = good < first ? good * STEP : good;
    while (bad == good && good < HIGHEST) {
      bad = good * STEP;
      good = holds(bad) ? bad : good;
    }
    for (int i = 0; i < halvings; i++) {
      double middle = (good + bad) / 2;
      if (holds(middle)) {
        good = middle;
      } else {
        bad = middle;
      }
    }
    while (good > LOWEST && !holds(good, lastingMillis)) {
      good *= BACK;
    }
    return good;
  }

  private boolean holds(double perSecond) throws InterruptedException {
    return holds(perSecond, millis);
  }

  private boolean holds(double perSecond, int lasting) throws InterruptedException {
    for (int i = 0; i < attempts; i++) {
      Outcome outcome =
          VisitLoad.run(ScriptNodes::new, Balancer.RANDOM, perSecond, warmUpMillis, lasting);
      double p99 = outcome.micros(99).median();
      report.progress(
          String.format(Locale.ROOT, "script, %.0f a second: p99 %.0f µs", perSecond, p99));
      if (p99 < LONGEST_MICROS && outcome.keptUp()) {
        return true;
      }
    }
    return false;
  }
}
