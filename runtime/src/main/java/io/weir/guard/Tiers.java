package io.weir.guard;

import io.weir.Policy;
import io.weir.extension.PartFailures;
import io.weir.key.RequestInfo;
import io.weir.policy.CallerTier;
import io.weir.policy.TierResolver;

/**
 * Asks the application's {@link TierResolver}, and goes by the policy's own limit where that fails:
 * its trouble must not become the request's. Safe for concurrent use.
 */
final class Tiers {
  private final TierResolver resolver;
  private final PartFailures failures =
      new PartFailures(
          System.getLogger(Tiers.class.getName()),
          "the TierResolver failed: its callers have the policies' own limits");

  Tiers(TierResolver resolver) {
    this.resolver = resolver;
  }

  long limit(RequestInfo request, Policy policy) {
    try {
      return resolver.resolve(request, policy).limitUnder(policy);
    } catch (Throwable broken) { // a missing class too
      failures.report(broken);
      return CallerTier.none().limitUnder(policy);
    }
  }
}
