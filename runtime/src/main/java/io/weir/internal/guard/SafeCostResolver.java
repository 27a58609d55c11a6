package io.weir.internal.guard;

import io.weir.internal.extension.SafeCalls;
import io.weir.spi.CostResolver;
import io.weir.spi.RequestInfo;
import java.util.OptionalLong;

/**
 * Asks one of the application's {@link CostResolver}s; where it fails, a request costs what is
 * usual. Safe for concurrent use.
 */
final class SafeCostResolver {
  /** The resolver failed, or answered what is no cost. */
  static final long FAILED = -1;

  /** The request doesn't say what it costs. */
  static final long MISSING = -2;

  private final String name;
  private final CostResolver resolver;
  private final SafeCalls calls;

  SafeCostResolver(String name, CostResolver resolver) {
    this.name = name;
    this.resolver = resolver;
    this.calls =
        new SafeCalls(
            System.getLogger(SafeCostResolver.class.getName()),
            "the cost resolver "
                + name
                + " failed: such requests cost what the policy's cost says");
  }

  /** Permits, 0 and more; or one of the two above. */
  long ask(RequestInfo request) {
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

  /** As messages for the client call it. */
  @Override
  public String toString() {
    return "cost " + name;
  }
}
