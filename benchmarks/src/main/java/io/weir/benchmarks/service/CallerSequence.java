package io.weir.benchmarks.service;

import java.util.SplittableRandom;

/** Chooses the caller of the next request. Confine to one thread. */
interface CallerSequence {
  /** Returns the number of a caller; negative: there is none left. */
  int next();

  /** So many, drawn evenly. */
  static CallerSequence drawn(int callers, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return () -> random.nextInt(callers);
  }

  /** So many, one after the other, each once. */
  static CallerSequence inOrder(int callers) {
    int[] next = {0};
    return () -> next[0] < callers ? next[0]++ : -1;
  }
}
