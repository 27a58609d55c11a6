package io.weir.policy;

import io.weir.Policy;
import io.weir.annotation.By;
import java.util.List;

/**
 * A policy as it is in force at its endpoints; follows the settings.
 *
 * <p>One object for each name, the same for as long as it counts by the same keys. Safe for
 * concurrent use.
 */
public final class BoundPolicy {
  private volatile Policy current;

  BoundPolicy(Policy policy) {
    this.current = policy;
  }

  /**
   * The policy in force now.
   *
   * @return one volatile read; read it once for a decision
   */
  public Policy current() {
    return current;
  }

  /**
   * Whom it counts.
   *
   * @return never changes
   */
  public List<By> by() {
    return current.by();
  }

  /**
   * What {@code by = KEY} reads.
   *
   * @return never changes
   */
  public List<String> keys() {
    return current.keys();
  }

  /**
   * The policy's name in headers, metrics and settings.
   *
   * @return never changes
   */
  public String name() {
    return current.name();
  }

  /**
   * Where it applies, for people.
   *
   * @return class and method, or the URL patterns
   */
  public String describe() {
    return name();
  }

  /**
   * How many permits a request takes: the policy's own cost, or if that is 1, what {@code
   * weir.cost.<METHOD>} says, at most the capacity.
   *
   * @param httpMethod in upper case; empty outside of HTTP
   * @return 1 and more
   */
  public long cost(String httpMethod) {
    return current.cost();
  }
}
