package io.weir.benchmarks.http;

import java.io.IOException;
import java.time.Duration;

/**
 * Rounds that aren't counted: until neither server gets faster any more. Before that, most of the
 * CPU time of both is the compiler's, and of the one with more code more of it.
 *
 * <p>Confine to one thread.
 */
final class WarmUp {
  /** What the next round must be below, or the server is as fast as it gets. */
  private static final double FASTER = 0.95;

  /** One round without a gain may be another program's, or wait for the compiler. */
  private static final int PATIENCE = 3;

  private final Duration round;
  private final int least;
  private final int most;

  WarmUp(Duration round, int least, int most) {
    this.round = round;
    this.least = least;
    this.most = most;
  }

  /** Puts both under load in turns; false if they were still getting faster at its end. */
  boolean run(Load load, Served plain, Served limited) throws IOException {
    double bestPlain = Double.MAX_VALUE;
    double bestLimited = Double.MAX_VALUE;
    int vain = 0;
    for (int i = 0; i < least || i < most && vain < PATIENCE; i++) {
      double nowPlain = plain.measure(load, round).cpuMicros();
      double nowLimited = limited.measure(load, round).cpuMicros();
      boolean falls = nowPlain < bestPlain * FASTER || nowLimited < bestLimited * FASTER;
      vain = falls ? 0 : vain + 1;
      bestPlain = Math.min(bestPlain, nowPlain);
      bestLimited = Math.min(bestLimited, nowLimited);
    }
    return vain >= PATIENCE;
  }
}
