package io.weir.benchmarks.service;

import java.util.SplittableRandom;

/** Whose request is next. Confine to one thread. */
interface Callers {
  /** The number of a caller; negative: there is none left. */
  int next();

  /** So many, drawn evenly. */
  static Callers drawn(int callers, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return () -> random.nextInt(callers);
  }

  /** So many, one after the other, each once. */
  static Callers inOrder(int callers) {
    int[] next = {0};
    return () -> next[0] < callers ? next[0]++ : -1;
  }
}
