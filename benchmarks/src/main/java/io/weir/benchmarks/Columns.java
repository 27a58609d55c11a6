package io.weir.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads columns of numbers from the lines that a child prints.
 *
 * <p>Confine to one thread.
 */
public final class Columns {
  private final List<double[]> rows = new ArrayList<>();

  /** None yet. */
  public Columns() {}

  /** Adds a line. */
  public void add(String line) {
    String[] words = line.split(" ", -1);
    double[] row = new double[words.length];
    for (int i = 0; i < words.length; i++) {
      row[i] = Double.parseDouble(words[i]);
    }
    rows.add(row);
  }

  /** Returns a column, the first is 0. */
  public Samples column(int number) {
    return Samples.of(rows.stream().mapToDouble(row -> row[number]).toArray());
  }
}
