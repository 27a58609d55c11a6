package io.weir.spi;

import java.util.Optional;

/**
 * Says whom a policy counts where no expression can: {@code key = "tenant"} asks the resolver that
 * is registered under the name {@code tenant}.
 *
 * <p>Called in the thread of the request, so it should answer at once. If it throws, the request
 * counts by address, and the first failure is logged.
 *
 * <p>Safe for concurrent use. Given to the builder under a name, or found by {@link
 * java.util.ServiceLoader} under its own {@link #name()}.
 */
@FunctionalInterface
public interface KeyResolver {
  /**
   * Reads the key.
   *
   * @param request the request
   * @return the text to count by; nothing or a blank text: the request counts by address
   */
  Optional<String> resolve(RequestInfo request);

  /**
   * The name under which a resolver found by {@code ServiceLoader} is known.
   *
   * @return the simple name of the class unless overridden
   */
  default String name() {
    return getClass().getSimpleName();
  }
}
