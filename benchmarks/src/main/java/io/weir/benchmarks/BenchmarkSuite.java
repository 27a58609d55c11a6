package io.weir.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * A group of measurements that belong together and share their peers and their load.
 *
 * <p>Confine to one thread.
 */
public interface BenchmarkSuite {
  /**
   * Returns the name in {@code benchmarks/run}, also the first part of the names of its figures.
   */
  String name();

  /** Returns a sentence about what is compared with what. */
  String about();

  /**
   * Returns the figures that a run reports; a quick one leaves out those that would mean nothing.
   */
  List<String> figures();

  /**
   * Returns the same suite with another duration.
   *
   * @param duration a minute and more
   * @throws IllegalArgumentException if its duration is fixed
   */
  default BenchmarkSuite lasting(Duration duration) {
    throw new IllegalArgumentException("The suite " + name() + " takes no --minutes.");
  }

  /** Measures, and writes to the report as it goes. */
  void run(Effort effort, Report report) throws Exception;
}
