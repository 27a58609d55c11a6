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
 * A policy as it is in force at its endpoints, kept up to date with the settings.
 *
 * <p>There is one object per name, and it stays the same as long as the policy reads the same from
 * requests. Safe for concurrent use.
 */
public final class LivePolicy {
  /** What a policy reads from requests, as settings name it: whom it counts. */
  static final String BY = "by";

  /** Where it finds costs. */
  static final String COST_FROM = "cost-from";

  /** For which requests it holds. */
  static final String WHEN = "when";

  private final Set<String> places = Collections.synchronizedSet(new TreeSet<>());
  private volatile State state;

  /**
   * A policy and the costs of its requests, as they are in force together.
   *
   * <p>Immutable.
   *
   * @param policy the policy
   * @param costs permits per request by HTTP method, none above what the smallest tier has at once
   */
  public record State(Policy policy, Map<String, Long> costs) {
    /** Takes them as they are. */
    public State {
      costs = Map.copyOf(costs);
    }

    /**
     * How many permits a request takes: the policy's own cost, or if that is 1, what {@code
     * weir.cost.<METHOD>} says, at most the permits at once of the smallest tier.
     *
     * @param httpMethod in upper case; empty outside of HTTP
     * @return 1 and more
     */
    public long cost(String httpMethod) {
      return policy.cost() == 1 ? costs.getOrDefault(httpMethod, 1L) : policy.cost();
    }
  }

  LivePolicy(Policy policy, Map<String, Long> costs) {
    this.state = new State(policy, MethodCosts.cappedFor(policy, costs));
  }

  /**
   * What is in force now, for a decision.
   *
   * @return one volatile read; policy and costs of the same settings
   */
  public State now() {
    return state;
  }

  /**
   * The policy in force now.
   *
   * @return one volatile read
   */
  public Policy current() {
    return state.policy;
  }

  /**
   * Whom it counts.
   *
   * @return never changes
   */
  public List<By> by() {
    return current().by();
  }

  /**
   * What {@code by = KEY} reads.
   *
   * @return never changes
   */
  public List<String> keys() {
    return current().keys();
  }

  /**
   * The policy's name in headers, metrics and settings.
   *
   * @return never changes
   */
  public String name() {
    return current().name();
  }

  /**
   * Where it applies, for people.
   *
   * @return classes and methods, or the URL patterns, between commas
   */
  public String describe() {
    return String.join(", ", places.toArray(new String[0]));
  }

  /**
   * Whether another policy reads the same from requests, so that it may take the place of this one.
   *
   * @param other a policy of the same name
   * @return true if it counts by the same and finds cost and condition in the same place
   */
  boolean readsSame(Policy other) {
    return readsOtherwise(other).isEmpty();
  }

  /**
   * The members of another policy that read something else from requests, as settings name them.
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

  /** Takes effect for the next decision. */
  void become(Policy policy, Map<String, Long> costs) {
    state =
        new State(
            policy.equals(current()) ? current() : policy, MethodCosts.cappedFor(policy, costs));
  }
}
