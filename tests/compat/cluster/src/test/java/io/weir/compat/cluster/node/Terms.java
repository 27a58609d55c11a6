package io.weir.compat.cluster.node;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import java.time.Duration;
import java.util.List;

/**
 * The terms of a policy, as they go over a line. Immutable.
 *
 * @param name the policy's name
 * @param algorithm how it counts
 * @param limit permits per window
 * @param windowMillis the window's length
 * @param onStoreFailure what happens while the store is away
 * @param overshoot percent that the cluster may admit ahead of the store
 */
public record Terms(
    String name,
    Algorithm algorithm,
    long limit,
    long windowMillis,
    OnStoreFailure onStoreFailure,
    int overshoot) {
  private static final int WORDS = 6;

  /** Terms that enforce this node's share while the store is away, with no overshoot. */
  public Terms(String name, Algorithm algorithm, long limit, long windowMillis) {
    this(name, algorithm, limit, windowMillis, OnStoreFailure.LOCAL, 0);
  }

  static Terms parse(List<String> words) {
    return new Terms(
        words.get(0),
        Algorithm.valueOf(words.get(1)),
        Long.parseLong(words.get(2)),
        Long.parseLong(words.get(3)),
        OnStoreFailure.valueOf(words.get(4)),
        Integer.parseInt(words.get(5)));
  }

  static List<String> after(List<String> words) {
    return words.subList(WORDS, words.size());
  }

  /** The words that {@link #parse} reads. */
  public String line() {
    return String.join(
        " ",
        name,
        algorithm.name(),
        Long.toString(limit),
        Long.toString(windowMillis),
        onStoreFailure.name(),
        Integer.toString(overshoot));
  }

  Policy policy() {
    return Policy.builder(name)
        .algorithm(algorithm)
        .limit(limit)
        .window(Duration.ofMillis(windowMillis))
        .onStoreFailure(onStoreFailure)
        .overshoot(overshoot)
        .build();
  }
}
