package io.weir.testkit.load;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A simulated caller: what each of its requests asks, to which node it goes, and how many don't
 * count in the end.
 *
 * <p>Immutable.
 *
 * @param policies what each request asks, all or nothing
 * @param key the key that they count by
 * @param leastCost the fewest permits of a request, 1 and more
 * @param mostCost the most permits of a request
 * @param spread to which node a request goes
 * @param refunds of a hundred admitted requests, how many are given back after their response
 */
public record Caller(
    List<Policy> policies, Key key, long leastCost, long mostCost, Spread spread, int refunds) {

  /** To which of the nodes a request goes. */
  @FunctionalInterface
  public interface Spread {
    /**
     * Picks a node.
     *
     * @param nodes how many live
     * @param random the source of chance
     * @return a number from 0 up to the nodes
     */
    int pick(int nodes, Random random);

    /**
     * To all alike.
     *
     * @return a spread
     */
    static Spread even() {
      return (nodes, random) -> random.nextInt(nodes);
    }

    /**
     * Most to the first nodes, few to the last.
     *
     * @return a spread
     */
    static Spread skewed() {
      return (nodes, random) -> (int) (nodes * Math.pow(random.nextDouble(), 2.5));
    }

    /**
     * All to one node, as long as there are so many.
     *
     * @param node its number, 0 and more
     * @return a spread
     */
    static Spread one(int node) {
      return (nodes, random) -> node % nodes;
    }
  }

  /**
   * Validates.
   *
   * @param policies what each request asks, all or nothing
   * @param key the key that they count by
   * @param leastCost the fewest permits of a request, 1 and more
   * @param mostCost the most permits of a request
   * @param spread to which node a request goes
   * @param refunds of a hundred admitted requests, how many are given back after their response
   */
  public Caller {
    policies = List.copyOf(policies);
    if (policies.isEmpty() || leastCost < 1 || mostCost < leastCost) {
      throw new IllegalArgumentException(
          "policies must not be empty, and costs must be at least 1, not "
              + policies.size()
              + " policies and costs of "
              + leastCost
              + " to "
              + mostCost);
    }
  }

  /**
   * Makes a caller whose requests cost what the policy says and go to all nodes alike.
   *
   * @param policy what is asked
   * @param name the caller's name
   * @return a caller
   */
  public static Caller of(Policy policy, String name) {
    return new Caller(
        List.of(policy), Key.of(name), policy.cost(), policy.cost(), Spread.even(), 0);
  }

  /**
   * Returns a caller that asks another policy as well.
   *
   * @param policy decided together with the others, all or nothing
   * @return a caller
   */
  public Caller also(Policy policy) {
    List<Policy> all = new ArrayList<>(policies);
    all.add(policy);
    return new Caller(all, key, leastCost, mostCost, spread, refunds);
  }

  /**
   * Returns a caller with requests of other costs.
   *
   * @param least the fewest permits, 1 and more
   * @param most the most
   * @return a caller
   */
  public Caller costing(long least, long most) {
    return new Caller(policies, key, least, most, spread, refunds);
  }

  /**
   * Returns a caller that asks other nodes.
   *
   * @param where to which node a request goes
   * @return a caller
   */
  public Caller at(Spread where) {
    return new Caller(policies, key, leastCost, mostCost, where, refunds);
  }

  /**
   * Returns a caller some of whose requests don't count in the end, as successes where failures are
   * counted.
   *
   * @param percent of a hundred admitted requests, how many are given back after their response
   * @return a caller
   */
  public Caller refunding(int percent) {
    return new Caller(policies, key, leastCost, mostCost, spread, percent);
  }

  /**
   * Draws what the next request asks.
   *
   * @param random the source of chance
   * @return one ask for each policy
   */
  public List<PermitRequest> asks(Random random) {
    long permits = leastCost;
    if (mostCost > leastCost) {
      permits += (long) (random.nextDouble() * (mostCost - leastCost + 1));
    }
    List<PermitRequest> asks = new ArrayList<>(policies.size());
    for (Policy policy : policies) {
      asks.add(new PermitRequest(policy, key, permits, policy.limit()));
    }
    return asks;
  }
}
