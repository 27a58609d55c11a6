package io.weir.quarkus.rest;

import io.weir.RateLimitExceededException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;

/** Answers requests whose limited call was refused. A mapper of the application's replaces it. */
@Priority(Priorities.USER + 1)
public final class ClassicRefusalMapper extends ClassicMapper<RateLimitExceededException> {
  /** Called by Quarkus. */
  public ClassicRefusalMapper() {}
}
