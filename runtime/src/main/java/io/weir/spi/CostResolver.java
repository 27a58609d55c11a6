package io.weir.spi;

import java.util.OptionalLong;

/**
 * Says what a request costs where no expression can: {@code costFrom = "tokens"} asks the resolver
 * that is registered under the name {@code tokens}.
 *
 * <p>Asked once for each request, after authentication, in the thread of the request: what it takes
 * the request waits, so it should answer at once. If it throws, answers null or less than 0, the
 * request costs what the policy's {@code cost} says, and the first failure is logged.
 *
 * <p>Safe for concurrent use. Given to the builder under a name, or found by {@link
 * java.util.ServiceLoader} under its own {@link #name()}.
 */
@FunctionalInterface
public interface CostResolver {
  /**
   * Reads the cost.
   *
   * @param request the request; of a woven method every parameter can be read
   * @return permits, 0 and more, 0 being free; nothing if the request doesn't say what it should:
   *     then it is answered with 400 and charged nowhere, as is one that costs more than the
   *     caller's permits at once
   */
  OptionalLong resolve(RequestInfo request);

  /**
   * The name under which a resolver found by {@code ServiceLoader} is known.
   *
   * @return the simple name of the class unless overridden
   */
  default String name() {
    return getClass().getSimpleName();
  }
}
