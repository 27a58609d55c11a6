package io.weir.internal.extension;

import io.weir.spi.CostResolver;
import io.weir.spi.RequestInfo;
import java.util.OptionalLong;

/** Asks one of the application's {@link CostResolver}s. Safe for concurrent use. */
public final class SafeCostResolver {
  /** The resolver failed, or its answer is negative. */
  public static final long FAILED = -1;

  /** The resolver found no cost in the request. */
  public static final long MISSING = -2;

  private final String name;
  private final CostResolver resolver;
  private final SafeCalls calls;

  public SafeCostResolver(String name, CostResolver resolver) {
    this.name = name;
    this.resolver = resolver;
    this.calls =
        new SafeCalls(
            System.getLogger(SafeCostResolver.class.getName()),
            "the cost resolver " + name + " failed: the policy's own cost is charged instead");
  }

  /**
   * Asks for the cost of a request.
   *
   * @return permits, 0 and more; {@link #FAILED} or {@link #MISSING}
   */
  public long ask(RequestInfo request) {
    try {
      OptionalLong cost = resolver.resolve(request);
      return cost.isEmpty() ? MISSING : required(cost.getAsLong());
    } catch (Throwable broken) {
      calls.failed(broken);
      return FAILED;
    }
  }

  private static long required(long cost) {
    if (cost < 0) {
      throw new IllegalArgumentException("a cost must be 0 or more, not " + cost);
    }
    return cost;
  }

  /** Returns its name for messages to callers. */
  @Override
  public String toString() {
    return "cost " + name;
  }
}
