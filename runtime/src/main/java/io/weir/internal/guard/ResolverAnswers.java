package io.weir.internal.guard;

import io.weir.internal.extension.SafeCondition;
import io.weir.internal.extension.SafeCostResolver;
import io.weir.spi.RequestInfo;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers what the application's resolvers and conditions have answered for one request, so that
 * each is asked once, however many policies, phases and endpoints use it.
 *
 * <p>Safe for concurrent use, as far as the phases of the request come one after the other.
 */
final class ResolverAnswers {
  private final Map<SafeCostResolver, Long> costs = new ConcurrentHashMap<>();
  private final Map<SafeCondition, Boolean> conditions = new ConcurrentHashMap<>();
  private final Set<SafeCondition> readersOfUser = ConcurrentHashMap.newKeySet();

  /** See {@link SafeCostResolver#ask}. */
  long cost(SafeCostResolver resolver, RequestInfo request) {
    return costs.computeIfAbsent(resolver, asked -> asked.ask(request));
  }

  boolean test(SafeCondition condition, RequestInfo request) {
    return conditions.computeIfAbsent(condition, asked -> asked.test(request));
  }

  /**
   * Asks a condition before authentication.
   *
   * @return true if it has read the user, so that its answer isn't known yet
   */
  boolean readsUser(SafeCondition condition, RequestInfo request) {
    if (conditions.containsKey(condition)) {
      return false;
    }
    if (readersOfUser.contains(condition)) {
      return true;
    }
    Optional<Boolean> answer = condition.testWithoutUser(request);
    answer.ifPresent(holds -> conditions.put(condition, holds));
    return answer.isEmpty() && readersOfUser.add(condition);
  }
}
