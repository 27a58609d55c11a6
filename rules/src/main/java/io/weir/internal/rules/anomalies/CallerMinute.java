package io.weir.internal.rules.anomalies;

/**
 * Counts the requests of one caller to one endpoint in one minute, on all nodes together.
 *
 * @param userId the key of the caller's row
 * @param endpoint the endpoint, as in usage
 * @param requests 1 and more
 */
record CallerMinute(String userId, String endpoint, long requests) {
  CallerAtEndpoint callerAtEndpoint() {
    return new CallerAtEndpoint(userId, endpoint);
  }

  record CallerAtEndpoint(String userId, String endpoint) {}
}
