package io.weir.spi;

/**
 * Says which requests a policy holds for: {@code when = "firstOrder"} asks the condition that is
 * registered under the name {@code firstOrder}. For all other requests it is as if the policy
 * weren't there.
 *
 * <p>Asked once for each request, after authentication, in the thread of the request: what it takes
 * the request waits, so it should answer at once. If it throws, the policy holds, and the first
 * failure is logged.
 *
 * <p>Safe for concurrent use. Given to the builder under a name, or found by {@link
 * java.util.ServiceLoader} under its own {@link #name()}.
 */
@FunctionalInterface
public interface RequestCondition {
  /**
   * Whether the policies that name it hold for a request.
   *
   * @param request the request; of a woven method every parameter can be read
   * @return true if they hold
   */
  boolean test(RequestInfo request);

  /**
   * The name under which a condition found by {@code ServiceLoader} is known.
   *
   * @return the simple name of the class unless overridden
   */
  default String name() {
    return getClass().getSimpleName();
  }
}
