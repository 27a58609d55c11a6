package io.weir.internal.guard;

import io.weir.spi.RequestInfo;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the application's resolvers and conditions have said of one request: each is asked once,
 * however many policies, phases and endpoints go by it.
 *
 * <p>Safe for concurrent use, as far as the phases of the request come one after the other.
 */
final class RequestAnswers {
  private final Map<SafeCostResolver, Long> costs = new ConcurrentHashMap<>();
  private final Map<SafeCondition, Boolean> conditions = new ConcurrentHashMap<>();

  /** See {@link SafeCostResolver#ask}. */
  long cost(SafeCostResolver resolver, RequestInfo request) {
    return costs.computeIfAbsent(resolver, asked -> asked.ask(request));
  }

  boolean test(SafeCondition condition, RequestInfo request) {
    return conditions.computeIfAbsent(condition, asked -> asked.test(request));
  }
}
