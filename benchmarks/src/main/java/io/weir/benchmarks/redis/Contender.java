package io.weir.benchmarks.redis;

/**
 * Limits requests by counting in a store.
 *
 * <p>Safe for concurrent use.
 */
public interface Contender extends AutoCloseable {
  /** Decides one request. */
  boolean admits(String caller);

  /** Gets ready for callers that it will see often. */
  default void prepare(String[] callers) {}

  /** Returns the number of exchanges with the store so far, if it is known. */
  default long exchanges() {
    return 0;
  }

  /** Creates a contender. */
  interface Maker {
    /**
     * Makes one.
     *
     * @param limit requests a minute
     */
    Contender make(int port, int threads, long limit);
  }

  @Override
  void close();
}
