package io.weir.benchmarks.redis;

/**
 * A store of the buckets of callers, which nobody else uses.
 *
 * <p>Confine to one thread.
 */
public interface CallerStore extends AutoCloseable {
  /** Removes all callers, but not what the store remembers of itself and the nodes. */
  void forgetCallers();

  /** Returns the number of callers that it has buckets of. */
  long callers();

  /** Returns the processor time of the server since it started, in the kernel as well. */
  long cpuNanos();

  @Override
  void close();
}
