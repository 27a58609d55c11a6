package io.weir.quarkus.rest;

import io.weir.InvalidRequestException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;

/**
 * Answers requests with a limited call that a policy can't count. A mapper of the application's
 * replaces it.
 */
@Priority(Priorities.USER + 1)
public final class ClassicInvalidRequestMapper extends ClassicMapper<InvalidRequestException> {
  /** Called by Quarkus. */
  public ClassicInvalidRequestMapper() {}
}
