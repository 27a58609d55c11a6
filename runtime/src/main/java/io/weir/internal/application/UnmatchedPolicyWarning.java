package io.weir.internal.application;

import io.weir.Weir;
import io.weir.internal.guard.GuardedPolicy;
import io.weir.internal.policy.LivePolicy;
import io.weir.internal.policy.PolicyCatalog;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Warns once of each policy that has matched no request while others have matched many: a limit
 * that never applies goes unnoticed until it is needed.
 *
 * <p>The pattern of a path may be misspelled, so it is reported early; an endpoint exists, and may
 * just be called rarely. Safe for concurrent use.
 */
final class UnmatchedPolicyWarning {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());
  private static final long FEW = 1_000;
  private static final long MANY = 10_000;
  private static final long VERY_MANY = 100_000;

  private final PolicyCatalog catalog;
  private final Map<LivePolicy, GuardedPolicy> used;
  private final Map<LivePolicy, Long> firstSeen = new HashMap<>();
  private final Set<LivePolicy> warned = new HashSet<>();

  /**
   * Makes a warning of a catalog's policies; {@code used} are those that are bound to endpoints.
   */
  UnmatchedPolicyWarning(PolicyCatalog catalog, Map<LivePolicy, GuardedPolicy> used) {
    this.catalog = catalog;
    this.used = used;
  }

  /** Checks all policies; to be called from time to time. */
  void check() {
    checkPaths(MANY);
    warn(catalog.ofEndpoints(), VERY_MANY, "check that it is called, and through Weir's filter");
  }

  /** Checks the policies of paths at the end, which may come early: fewer requests are enough. */
  void checkAtEnd() {
    checkPaths(FEW);
  }

  private void checkPaths(long enough) {
    warn(
        catalog.ofPaths(),
        enough,
        "check that its URL pattern matches paths within the application");
  }

  /** Requests count from when a policy was seen first: a change of settings may have added it. */
  private synchronized void warn(Collection<LivePolicy> all, long enough, String question) {
    long requests = used.values().stream().mapToLong(each -> each.usage().requests()).sum();
    for (LivePolicy each : all) {
      long since = requests - firstSeen.computeIfAbsent(each, any -> requests);
      if (since >= enough && !isUsed(each) && warned.add(each)) {
        LOG.log(System.Logger.Level.WARNING, warning(each, since, question));
      }
    }
  }

  /** Forgets policies that no endpoint has any more. */
  synchronized void forget(Collection<LivePolicy> gone) {
    firstSeen.keySet().removeAll(gone);
    warned.removeAll(gone);
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
