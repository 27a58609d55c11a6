package io.weir.benchmarks.day;

import java.util.SplittableRandom;

/** Chooses the node for a request. */
enum Balancer {
  /** To any of them. */
  RANDOM {
    @Override
    int node(int user, SplittableRandom random) {
      return random.nextInt(Nodes.COUNT);
    }
  },
  /** To the same for the same user. */
  STICKY {
    @Override
    int node(int user, SplittableRandom random) {
      return user % Nodes.COUNT;
    }
  };

  abstract int node(int user, SplittableRandom random);
}
