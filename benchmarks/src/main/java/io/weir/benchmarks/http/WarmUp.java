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

  private final Duration round;
  private final int least;
  private final int most;

  WarmUp(Duration round, int least, int most) {
    this.round = round;
    this.least = least;
    this.most = most;
  }

  /** Puts both under load in turns. */
  void run(Load load, Served plain, Served limited) throws IOException {
    double bestPlain = Double.MAX_VALUE;
    double bestLimited = Double.MAX_VALUE;
    boolean falls = true;
    for (int i = 0; i < least || i < most && falls; i++) {
      double nowPlain = plain.measure(load, round).cpuMicros();
      double nowLimited = limited.measure(load, round).cpuMicros();
      falls = nowPlain < bestPlain * FASTER || nowLimited < bestLimited * FASTER;
      bestPlain = Math.min(bestPlain, nowPlain);
      bestLimited = Math.min(bestLimited, nowLimited);
    }
  }
}
