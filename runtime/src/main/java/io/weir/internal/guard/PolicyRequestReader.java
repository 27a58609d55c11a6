package io.weir.internal.guard;

import io.weir.InvalidRequestException;
import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.extension.SafeCondition;
import io.weir.internal.extension.SafeCostResolver;
import io.weir.internal.key.BodyUse;
import io.weir.internal.key.CostExpression;
import io.weir.internal.key.KeyReader;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a request what a policy needs: whether the policy holds, the key, and the cost.
 *
 * <p>Safe for concurrent use.
 */
public final class PolicyRequestReader {
  /** More than any limit: no sum of costs overflows. */
  private static final long MAX_COST = 1_000_000_000_000_000L;

  private static final System.Logger LOG = System.getLogger(PolicyRequestReader.class.getName());

  private final KeyReader keys;
  private final @Nullable CostExpression expression;
  private final @Nullable SafeCostResolver resolver;
  private final @Nullable SafeCondition condition;
  private final BodyUse body;
  private final AtomicBoolean warned = new AtomicBoolean();

  /** Takes an expression or a resolver for the cost, or neither if the request doesn't matter. */
  PolicyRequestReader(
      KeyReader keys,
      @Nullable CostExpression expression,
      @Nullable SafeCostResolver resolver,
      @Nullable SafeCondition condition) {
    this.keys = keys;
    this.expression = expression;
    this.resolver = resolver;
    this.condition = condition;
    BodyUse read = expression == null ? keys.body() : keys.body().and(expression.body());
    this.body = condition != null && condition.needsBody() ? BodyUse.ANY : read;
  }

  /** Returns the formats of a body that the policy is read from. */
  BodyUse body() {
    return body;
  }

  /**
   * Returns whether the policy wants the body of a request: not if a condition that doesn't read it
   * says that the policy doesn't apply.
   */
  boolean wantsBody(RequestInfo request, DecisionHistory history) {
    return condition == null
        || condition.needsBody()
        || phase() == DecisionPhase.BEFORE_AUTHENTICATION && waitsForUser(request, history)
        || holds(request, history);
  }

  boolean readsKeyAlone() {
    return condition == null && resolver == null && expression == null;
  }

  /** Returns the phase in which it can read: resolvers and conditions may depend on the user. */
  DecisionPhase phase() {
    return keys.needsUser() || resolver != null || condition != null && condition.needsUser()
        ? DecisionPhase.AFTER_AUTHENTICATION
        : DecisionPhase.BEFORE_AUTHENTICATION;
  }

  /** Returns whether the phase before authentication may leave a request to the one after it. */
  boolean mayWaitForUser() {
    return condition != null && phase() == DecisionPhase.BEFORE_AUTHENTICATION;
  }

  /**
   * Returns whether a request must be decided after authentication, since the condition reads the
   * user although it says that it doesn't need one. Call it before authentication.
   */
  boolean waitsForUser(RequestInfo request, DecisionHistory history) {
    return condition != null
        && !condition.needsUser()
        && history.answers().readsUser(condition, request);
  }

  boolean holds(RequestInfo request, DecisionHistory history) {
    return condition == null || history.answers().test(condition, request);
  }

  /**
   * Reads the key under which the policy counts a request.
   *
   * @throws InvalidRequestException if a key is too long
   */
  Key key(RequestInfo request) {
    return keys.read(request);
  }

  /**
   * Reads what a request costs: its own cost, if it has one.
   *
   * @param usual the cost where the request doesn't matter, or its resolver fails
   * @return permits, 0 and more; negative if a policy in shadow mode can't count the request
   * @throws InvalidRequestException if the policy can't count the request
   */
  long cost(RequestInfo request, DecisionHistory history, Policy policy, long usual) {
    if (request.cost().isPresent()) {
      return request.cost().getAsLong();
    }
    if (expression == null && resolver == null) {
      return usual;
    }
    try {
      return read(request, history, usual);
    } catch (InvalidRequestException invalid) {
      if (!policy.shadow()) {
        throw invalid;
      }
      warn(policy, invalid);
      return -1;
    }
  }

  private long read(RequestInfo request, DecisionHistory history, long usual) {
    if (resolver == null) {
      return expression == null ? usual : expression.read(request);
    }
    long cost = history.answers().cost(resolver, request);
    if (cost == SafeCostResolver.MISSING) {
      throw new InvalidRequestException(
          "The " + resolver + " can't be determined from the request.");
    }
    return cost == SafeCostResolver.FAILED ? usual : Math.min(MAX_COST, cost);
  }

  private void warn(Policy policy, InvalidRequestException invalid) {
    if (warned.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.INFO,
          "Policy "
              + policy.name()
              + " is in shadow mode; it would have answered 400: "
              + invalid.getMessage()
              + " (logged once)");
    }
  }
}
