package io.weir.benchmarks.cluster;

/**
 * Some nodes that share limits through a Redis. Nodes have nothing in common but that and the JVM:
 * each has its own limiter, connections and threads.
 *
 * <p>Safe for concurrent use.
 */
interface Cluster extends AutoCloseable {
  int NODES = 10;

  /** Asks one node for one permit. */
  Answer ask(int node, Limit limit, String key);

  /** What came of it. */
  record Answer(boolean admitted, boolean degraded, long mark) {}

  /**
   * Whether the mark of an answer names the fixed window that the permit was taken from, by the
   * store's own clock.
   */
  boolean marks();

  /** How often the store has executed something for a limit so far. */
  long exchanges(Limit limit);

  /** How many permits nodes have told the store of that they had admitted ahead of it. */
  default long ahead(Limit limit) {
    return 0;
  }

  @Override
  void close();
}
