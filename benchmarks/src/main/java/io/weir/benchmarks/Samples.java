package io.weir.benchmarks;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;

/**
 * The results of one measurement, repeated several times.
 *
 * <p>Immutable.
 */
public final class Samples {
  private final double[] sorted;
  private final double[] inOrder;

  private Samples(double[] inOrder) {
    if (inOrder.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    this.inOrder = inOrder.clone();
    this.sorted = inOrder.clone();
    Arrays.sort(sorted);
  }

  /** Creates samples in the order of the measurements, at least one. */
  public static Samples of(double... inOrder) {
    return new Samples(inOrder);
  }

  /** Returns the one in the middle, or the mean of the two. */
  public double median() {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Returns the lowest. */
  public double low() {
    return sorted[0];
  }

  /** Returns the highest. */
  public double high() {
    return sorted[sorted.length - 1];
  }

  /**
   * Returns whether the median means something: none is further from another than it is from
   * nothing.
   */
  public boolean agree() {
    return high() - low() <= Math.abs(median());
  }

  /** Returns each of these with its partner of the same round, such as their ratio. */
  public Samples with(Samples partners, DoubleBinaryOperator both) {
    int rounds = Math.min(inOrder.length, partners.inOrder.length);
    double[] paired = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      paired[i] = both.applyAsDouble(inOrder[i], partners.inOrder[i]);
    }
    return new Samples(paired);
  }

  /** Divides each sample by its partner. */
  public Samples over(Samples partners) {
    return with(partners, (mine, other) -> mine / other);
  }

  /** Subtracts its partner from each sample. */
  public Samples minus(Samples partners) {
    return with(partners, (mine, other) -> mine - other);
  }

  /** These in another unit. */
  public Samples times(double factor) {
    return with(this, (mine, same) -> mine * factor);
  }

  /** These as a figure. */
  public Figure figure(String name, String unit) {
    return new Figure(name, median(), unit, low(), high());
  }
}
