package io.weir.internal.guard;

import io.weir.Weir;
import io.weir.internal.policy.LivePolicy;
import io.weir.internal.policy.PolicyCatalog;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Warns once of each policy that has matched no request while others have matched many: a limit
 * that applies to nothing goes unnoticed until it is needed.
 *
 * <p>The pattern of a path may be misspelled, so it is reported early; an endpoint exists, and may
 * just be one that hardly anybody calls. Safe for concurrent use.
 */
final class UnmatchedPolicies {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());
  private static final long FEW = 1_000;
  private static final long MANY = 10_000;
  private static final long VERY_MANY = 100_000;

  private final PolicyCatalog catalog;
  private final Map<LivePolicy, GuardedPolicy> used;
  private final Map<LivePolicy, Long> firstSeen = new HashMap<>();
  private final Set<LivePolicy> said = new HashSet<>();

  /**
   * Checks nothing yet.
   *
   * @param catalog all policies
   * @param used those that have been bound to an endpoint
   */
  UnmatchedPolicies(PolicyCatalog catalog, Map<LivePolicy, GuardedPolicy> used) {
    this.catalog = catalog;
    this.used = used;
  }

  /** To be called now and then. */
  void check() {
    checkPaths(MANY);
    warn(catalog.ofEndpoints(), VERY_MANY, "does nobody call it, or not through Weir's filter?");
  }

  /** To be called at the end, which may come early: fewer requests are enough. */
  void checkAtEnd() {
    checkPaths(FEW);
  }

  private void checkPaths(long enough) {
    warn(catalog.ofPaths(), enough, "does its url fit the paths within the application?");
  }

  /** Requests count from when a policy was seen first: a change of settings may have added it. */
  private synchronized void warn(Collection<LivePolicy> all, long enough, String question) {
    long requests = used.values().stream().mapToLong(each -> each.usage().requests()).sum();
    for (LivePolicy each : all) {
      long since = requests - firstSeen.computeIfAbsent(each, any -> requests);
      if (since >= enough && !isUsed(each) && said.add(each)) {
        LOG.log(System.Logger.Level.WARNING, warning(each, since, question));
      }
    }
  }

  /** Forgets policies that no endpoint has any more. */
  synchronized void forget(Collection<LivePolicy> gone) {
    firstSeen.keySet().removeAll(gone);
    said.removeAll(gone);
  }

  private static String warning(LivePolicy policy, long requests, String question) {
    return "The policy "
        + policy.name()
        + " ("
        + policy.describe()
        + ") matched no request, while others matched about "
        + requests
        + ": "
        + question;
  }

  private boolean isUsed(LivePolicy policy) {
    GuardedPolicy guarded = used.get(policy);
    return guarded != null && guarded.usage().isUsed();
  }
}
