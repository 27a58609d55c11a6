package io.weir.rules;

/**
 * Sets the cost of requests to an endpoint unless a rule or policy does: a row of {@code
 * operation_costs}.
 *
 * @param id given by the database; 0 for one that isn't saved yet
 * @param endpoint a pattern as in {@link Rule#pattern()}
 * @param method an HTTP method, or {@code *}
 * @param cost permits per request, at least 1
 * @param version how often the row was written; 0 for one that isn't saved yet
 */
public record OperationCost(long id, String endpoint, String method, long cost, long version) {}
