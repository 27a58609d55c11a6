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

  /** Returns the results. */
  record Answer(boolean admitted, boolean degraded, long mark) {}

  /**
   * Returns whether the mark of an answer names the fixed window that the permit was taken from, by
   * the store's own clock.
   */
  boolean marks();

  /** Returns the number of store executions for a limit so far. */
  long exchanges(Limit limit);

  /**
   * Returns the number of permits that nodes have reported to the store after admitting them ahead
   * of it.
   */
  default long ahead(Limit limit) {
    return 0;
  }

  @Override
  void close();
}
