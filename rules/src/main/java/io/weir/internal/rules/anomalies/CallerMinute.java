package io.weir.internal.rules.anomalies;

/**
 * What one caller has asked of one endpoint in one minute, on all nodes together.
 *
 * @param userId the key of the caller's row
 * @param endpoint the endpoint, as usage calls it
 * @param requests 1 and more
 */
record CallerMinute(String userId, String endpoint, long requests) {
  /** Who it is about. */
  Place place() {
    return new Place(userId, endpoint);
  }

  /** A caller at an endpoint. */
  record Place(String userId, String endpoint) {}
}
