package io.weir.internal.guard;

/**
 * Finds the endpoints of requests that are checked but not served here. Safe for concurrent use.
 */
public interface NamedEndpointLookup {
  /**
   * Finds the endpoint that a request names.
   *
   * @param endpoint a path below the application, or {@code policy:NAME}
   * @return an endpoint with the policies of settings for the path and that of the application; or
   *     with the policy of that name, if there is one
   */
  EndpointGuard named(String endpoint);

  /**
   * Returns the endpoint of requests that no other policy limits.
   *
   * @return an endpoint with the policy of {@code weir.default.*}, if there is one
   */
  EndpointGuard byDefault();
}
