package io.weir.quarkus.rest;

import io.weir.InvalidRequestException;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/**
 * Answers requests with a limited call that a policy can't count. A mapper of the application's
 * replaces it.
 */
@Singleton
public class InvalidRequestMapper extends LimitedCallMapper<InvalidRequestException> {
  /**
   * Uses the application's limits.
   *
   * @param limits know the requests
   */
  @Inject
  public InvalidRequestMapper(RestLimits limits) {
    super(limits);
  }
}
