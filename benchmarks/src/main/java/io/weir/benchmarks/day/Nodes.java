package io.weir.benchmarks.day;

/**
 * Four nodes in this JVM that limit requests, with nothing in common but a Redis.
 *
 * <p>Safe for concurrent use.
 */
interface Nodes extends AutoCloseable {
  int COUNT = 4;
  int PER_MINUTE = 100;
  int PER_HOUR = 1_000;
  long MINUTE_MILLIS = 60_000;
  long HOUR_MILLIS = 3_600_000;

  /** Decides one request by both limits. */
  boolean admits(int node, String user);

  /**
   * Decides one request as well, and returns whether that needed no I/O. It may take longer.
   *
   * @return whether it was admitted
   */
  default boolean admitsWatched(int node, String user) {
    return admits(node, user);
  }

  /** Returns the number of exchanges with Redis so far. */
  long exchanges();

  /** Returns the percentage of watched requests that needed no I/O. */
  double withoutIoPercent();

  /** Forgets those watched so far. */
  default void forgetWatched() {}

  @Override
  void close();

  /** Creates nodes for the Redis at a port and a number of calling threads. */
  interface Maker {
    /** Makes them. */
    Nodes make(int port, int threads);
  }
}
