package io.weir.rules;

/**
 * What requests of an endpoint cost where neither rule nor policy says it: a row of {@code
 * operation_costs}.
 *
 * @param id given by the database; 0 for one that isn't saved yet
 * @param endpoint a pattern, as rules have them
 * @param method an HTTP method, or {@code *}
 * @param cost permits a request, 1 and more
 * @param version how often the row was written; 0 for one that isn't saved yet
 */
public record OperationCost(long id, String endpoint, String method, long cost, long version) {}
