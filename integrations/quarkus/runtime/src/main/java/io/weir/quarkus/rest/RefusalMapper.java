package io.weir.quarkus.rest;

import io.weir.RateLimitExceededException;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/** Answers requests whose limited call was refused. A mapper of the application's replaces it. */
@Singleton
public class RefusalMapper extends LimitedCallMapper<RateLimitExceededException> {
  /**
   * Uses the application's limits.
   *
   * @param limits know the requests
   */
  @Inject
  public RefusalMapper(RestLimits limits) {
    super(limits);
  }
}
