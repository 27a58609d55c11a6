package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.annotation.By;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds a policy as it is in force at its endpoints, and follows the settings.
 *
 * <p>There is one object for each name, and it remains the same as long as the policy reads the
 * same from requests. Safe for concurrent use.
 */
public final class LivePolicy {
  static final String BY = "by";

  static final String COST_FROM = "cost-from";

  static final String WHEN = "when";

  private final Set<String> places = Collections.synchronizedSet(new TreeSet<>());
  private volatile State state;

  /**
   * Holds a policy, the costs of its requests and its exceptions, of the same settings.
   *
   * <p>Immutable.
   *
   * @param costs permits per request by HTTP method, at most the permits at once of the smallest
   *     tier
   * @param except the endpoints whose requests it leaves out
   */
  public record State(Policy policy, Map<String, Long> costs, ExceptedPaths except) {
    public State {
      costs = Map.copyOf(costs);
    }

    /**
     * Returns the permits that a request takes: the policy's own cost; if that is 1, the cost of
     * {@code weir.cost.<METHOD>}, at most the permits at once of the smallest tier.
     *
     * @param httpMethod in upper case; empty outside of HTTP
     * @return at least 1
     */
    public long cost(String httpMethod) {
      return policy.cost() == 1 ? costs.getOrDefault(httpMethod, 1L) : policy.cost();
    }
  }

  LivePolicy(Policy policy, Map<String, Long> costs) {
    this.state = new State(policy, MethodCosts.cappedFor(policy, costs), ExceptedPaths.NONE);
  }

  /** Returns the policy and costs in force now. Costs one volatile read. */
  public State now() {
    return state;
  }

  /** Returns the policy in force now. Costs one volatile read. */
  public Policy current() {
    return state.policy;
  }

  /** Returns what identifies a caller; never changes. */
  public List<By> by() {
    return current().by();
  }

  /** Returns the expressions of {@code by = KEY}; never changes. */
  public List<String> keys() {
    return current().keys();
  }

  /** Returns the policy's name in headers, metrics and settings; never changes. */
  public String name() {
    return current().name();
  }

  /**
   * Returns the places where it applies, separated by commas: classes and methods, or URL patterns.
   */
  public String describe() {
    return String.join(", ", places.toArray(new String[0]));
  }

  /**
   * Returns whether another policy of the same name can replace this one, because it reads the same
   * from requests: the caller, the cost and the condition.
   */
  boolean readsSame(Policy other) {
    return readsOtherwise(other).isEmpty();
  }

  /**
   * Returns the members, as settings name them, by which another policy reads something else from
   * requests.
   */
  List<String> readsOtherwise(Policy other) {
    Policy own = current();
    List<String> members = new ArrayList<>();
    if (!own.by().equals(other.by()) || !own.keys().equals(other.keys())) {
      members.add(BY);
    }
    if (!own.costFrom().equals(other.costFrom())) {
      members.add(COST_FROM);
    }
    if (!own.when().equals(other.when())) {
      members.add(WHEN);
    }
    return members;
  }

  void appliesTo(String place) {
    places.add(place);
  }

  void appliesOnlyTo(List<String> patterns) {
    places.addAll(patterns);
    places.retainAll(patterns);
  }

  /** Puts a policy, costs and exceptions into effect for the next decision. */
  void become(Policy policy, Map<String, Long> costs, ExceptedPaths except) {
    state =
        new State(
            policy.equals(current()) ? current() : policy,
            MethodCosts.cappedFor(policy, costs),
            except);
  }
}
