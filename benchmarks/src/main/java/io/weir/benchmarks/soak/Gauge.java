package io.weir.benchmarks.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * A value that is measured repeatedly and should stay constant.
 *
 * <p>Confine to one thread.
 */
final class Gauge {
  private static final int ENOUGH = 6;
  private static final double CLEARLY = 1.25;

  private final String name;
  private final double slack;
  private final List<Double> samples = new ArrayList<>();

  /**
   * One that nothing is known of yet.
   *
   * @param name what it shows
   * @param slack by how much it may grow whatever it shows
   */
  Gauge(String name, double slack) {
    this.name = name;
    this.slack = slack;
  }

  void add(double sample) {
    samples.add(sample);
  }

  String name() {
    return name;
  }

  double first() {
    return samples.get(0);
  }

  double last() {
    return samples.get(samples.size() - 1);
  }

  /** By how much it rises from one sample to the next, by the line that fits best. */
  double slope() {
    int count = samples.size();
    double middle = (count - 1) / 2.0;
    double mean = mean(0, count);
    double rise = 0;
    double run = 0;
    for (int i = 0; i < count; i++) {
      rise += (i - middle) * (samples.get(i) - mean);
      run += (i - middle) * (i - middle);
    }
    return run == 0 ? 0 : rise / run;
  }

  /** Returns whether its last third is clearly above its first one; false for too few samples. */
  boolean grows() {
    int third = samples.size() / 3;
    return samples.size() >= ENOUGH
        && mean(samples.size() - third, samples.size()) > CLEARLY * mean(0, third) + slack;
  }

  private double mean(int from, int to) {
    return samples.subList(from, to).stream().mapToDouble(each -> each).average().orElse(0);
  }
}
