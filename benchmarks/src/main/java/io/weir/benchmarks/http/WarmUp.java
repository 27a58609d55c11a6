package io.weir.benchmarks.http;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/**
 * Rounds that aren't counted: until no load gets faster any more. Before that, most of the CPU time
 * is the compiler's, and of the load with more code more of it.
 *
 * <p>Confine to one thread.
 */
final class WarmUp {
  /** The bound that the next round must undercut; otherwise the server has warmed up. */
  private static final double FASTER = 0.95;

  /** One round without a gain may be another program's, or wait for the compiler. */
  private static final int PATIENCE = 3;

  private final int requests;
  private final int least;
  private final int most;

  WarmUp(int requests, int least, int most) {
    this.requests = requests;
    this.least = least;
    this.most = most;
  }

  /** Puts the server under all loads in turns; false if one was still getting faster at the end. */
  boolean run(ServedProcess served, int inOneGo) throws IOException {
    Map<HttpLoad, Double> best = new EnumMap<>(HttpLoad.class);
    int vain = 0;
    for (int i = 0; i < least || i < most && vain < PATIENCE; i++) {
      boolean falls = false;
      for (HttpLoad load : HttpLoad.values()) {
        double now = served.measure(load, inOneGo, requests).cpuMicros();
        double before = best.getOrDefault(load, Double.MAX_VALUE);
        falls |= now < before * FASTER;
        best.put(load, Math.min(now, before));
      }
      vain = falls ? 0 : vain + 1;
    }
    return vain >= PATIENCE;
  }
}
