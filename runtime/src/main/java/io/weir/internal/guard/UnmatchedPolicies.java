package io.weir.internal.guard;

import io.weir.Weir;
import io.weir.internal.policy.BoundPolicy;
import io.weir.internal.policy.PolicyCatalog;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Says once of each policy that it has matched no request, when others have matched many: a limit
 * that binds to nothing goes unnoticed until it would have been needed.
 *
 * <p>A pattern may be wrong, so it is missed early; an endpoint is there, and may be one that
 * hardly anybody calls. Safe for concurrent use.
 */
final class UnmatchedPolicies {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());
  private static final long FEW = 1_000;
  private static final long MANY = 10_000;
  private static final long VERY_MANY = 100_000;

  private final PolicyCatalog catalog;
  private final Map<BoundPolicy, GuardedPolicy> used;
  private final Map<BoundPolicy, Long> firstSeen = new HashMap<>();
  private final Set<BoundPolicy> said = new HashSet<>();

  /**
   * Looks at nothing yet.
   *
   * @param catalog all policies
   * @param used those that guard anything
   */
  UnmatchedPolicies(PolicyCatalog catalog, Map<BoundPolicy, GuardedPolicy> used) {
    this.catalog = catalog;
    this.used = used;
  }

  /** To be called now and then. */
  void look() {
    ofPaths(MANY);
    name(catalog.ofEndpoints(), VERY_MANY, "does nobody call it, or not through Weir's filter?");
  }

  /** To be called at the end, which may come early. */
  void lookAtLast() {
    ofPaths(FEW);
  }

  private void ofPaths(long enough) {
    name(catalog.ofPaths(), enough, "does its url fit the paths within the application?");
  }

  /** Requests count from when a policy was seen first, for settings may have just brought it. */
  private synchronized void name(Collection<BoundPolicy> all, long enough, String question) {
    long requests = used.values().stream().mapToLong(each -> each.use().requests()).sum();
    for (BoundPolicy each : all) {
      long since = requests - firstSeen.computeIfAbsent(each, any -> requests);
      if (since >= enough && !isMet(each) && said.add(each)) {
        LOG.log(System.Logger.Level.WARNING, warning(each, since, question));
      }
    }
  }

  /** Policies that no endpoint has any more. */
  synchronized void forget(Collection<BoundPolicy> gone) {
    firstSeen.keySet().removeAll(gone);
    said.removeAll(gone);
  }

  private static String warning(BoundPolicy policy, long requests, String question) {
    return "The policy "
        + policy.name()
        + " ("
        + policy.describe()
        + ") matched no request, while others matched about "
        + requests
        + ": "
        + question;
  }

  private boolean isMet(BoundPolicy policy) {
    GuardedPolicy guarded = used.get(policy);
    return guarded != null && guarded.use().isMet();
  }
}
