package io.weir.rules;

import java.util.Optional;

/**
 * Sets the cost of requests to an endpoint unless a rule or policy does: a row of {@code
 * operation_costs}.
 *
 * @param id given by the database; 0 for one that isn't saved yet
 * @param endpoint a pattern as in {@link Rule#pattern()}
 * @param method an HTTP method, or {@code *}
 * @param cost permits per request, at least 1
 * @param version how often the row was written; 0 for one that isn't saved yet
 * @param origin the row of a table that Weir didn't make, as in {@code public.operation_costs 17};
 *     empty for a row of Weir's own
 */
public record OperationCost(
    long id, String endpoint, String method, long cost, long version, Optional<String> origin) {
  /**
   * Describes a row of Weir's own.
   *
   * @param id given by the database
   * @param endpoint a pattern
   * @param method an HTTP method, or {@code *}
   * @param cost permits per request
   * @param version how often the row was written
   */
  public OperationCost(long id, String endpoint, String method, long cost, long version) {
    this(id, endpoint, method, cost, version, Optional.empty());
  }
}
