package io.weir.benchmarks;

/** The time that a suite may take. */
public enum Effort {
  /** Seconds, to see that everything runs; its figures say nothing. */
  TINY,
  /** At most a minute, for a first look. */
  QUICK,
  /** As long as figures need that are to be published. */
  FULL;

  /**
   * Returns one of three values, by effort.
   *
   * @return the one for this effort
   */
  public int of(int tiny, int quick, int full) {
    return switch (this) {
      case TINY -> tiny;
      case QUICK -> quick;
      case FULL -> full;
    };
  }
}
