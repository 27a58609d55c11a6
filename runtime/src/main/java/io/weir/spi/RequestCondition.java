package io.weir.spi;

/**
 * Decides to which requests a policy applies: {@code when = "firstOrder"} calls the condition that
 * is registered under the name {@code firstOrder}. Other requests ignore the policy.
 *
 * <p>Called once for each request, after authentication unless it {@linkplain #needsUser() needs no
 * user}, in the thread of the request, which waits for it; so it should return at once. If it
 * throws, the policy applies, and the first failure is logged.
 *
 * <p>Safe for concurrent use. Given to the builder under a name, or found by {@link
 * java.util.ServiceLoader} under its own {@link #name()}.
 */
@FunctionalInterface
public interface RequestCondition {
  /**
   * Returns whether the policies that name this condition apply to a request.
   *
   * @param request the request; for a woven method every parameter can be read
   * @return true if they apply
   */
  boolean test(RequestInfo request);

  /**
   * Returns whether the condition needs the user of the request. One that doesn't is called before
   * authentication, and so are its policies decided there, as far as their keys and costs need no
   * user: failed sign-ins count. If it reads {@link RequestInfo#user()} or {@link
   * RequestInfo#issuer()} all the same, it is called again after authentication, where its policies
   * are then decided, and this is logged once.
   *
   * <p>Read at the start.
   *
   * @return true unless overridden
   */
  default boolean needsUser() {
    return true;
  }

  /**
   * Returns whether the condition reads the body of the request, by {@link RequestInfo#form} or
   * {@link RequestInfo#json}. Then its policies are decided once the body was read, and can be
   * bound only where {@code form:} and {@code json:} may be keys.
   *
   * <p>Read at the start.
   *
   * @return false unless overridden
   */
  default boolean needsBody() {
    return false;
  }

  /**
   * Returns the name under which a condition found by {@code ServiceLoader} is registered.
   *
   * @return the simple name of the class unless overridden
   */
  default String name() {
    return getClass().getSimpleName();
  }
}
