package io.weir.benchmarks.http;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;

/**
 * Reports a figure only if it means something.
 *
 * <p>Immutable.
 *
 * @param report receives the figures
 * @param effort how long was measured; all figures of a tiny run are reported, as no one reads
 *     them, and those of a full one, which stand beside how far their samples lie apart
 * @param warm whether the server was as fast as it gets
 */
record Telling(Report report, Effort effort, boolean warm) {
  /** Returns whether any figure of this server means something. */
  boolean tellsAny() {
    return warm || effort != Effort.QUICK;
  }

  void figure(String name, Samples samples, String unit) {
    if (!tellsAny()) {
      report.untold(name, "the server was still getting faster");
    } else if (effort == Effort.QUICK && !samples.agree()) {
      report.untold(name, "its samples lie too far apart");
    } else {
      report.figure(name, samples, unit);
    }
  }
}
