package io.weir.internal.rules.request;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cuts costs by endpoint and method to the permits that a caller has at once, and warns once for
 * each policy. Safe for concurrent use.
 */
final class CostCap {
  private static final System.Logger LOG = System.getLogger(CostCap.class.getName());
  private static final int MAX_WARNINGS = 1_000;

  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  /**
   * Returns the cost of a request.
   *
   * @param cost permits, as they were configured
   * @param atOnce how many the caller has at once
   */
  long cut(String policy, long cost, long atOnce) {
    if (cost <= atOnce) {
      return cost;
    }
    if (warned.size() < MAX_WARNINGS && warned.add(policy)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a request costs "
              + cost
              + " permits by endpoint or method, but "
              + policy
              + " admits at most "
              + atOnce
              + " at once, so it costs that many (logged once for this policy)");
    }
    return atOnce;
  }
}
