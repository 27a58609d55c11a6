package io.weir.internal.server.http;

/**
 * The response to a probe.
 *
 * @param status 200, or 503 if the server isn't ready
 */
record HealthResponse(int status, String json) {
  static final String LIVE = "/health/live";
  static final String READY = "/health/ready";

  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  static HealthResponse of(String path, Health health) {
    if (path.equals(LIVE)) {
      return new HealthResponse(OK, "{\"status\":\"live\"}");
    }
    return health.isReady()
        ? new HealthResponse(OK, "{\"status\":\"ready\"}")
        : new HealthResponse(
            UNAVAILABLE,
            "{\"status\":\"" + (health.isStopping() ? "stopping" : "starting") + "\"}");
  }
}
