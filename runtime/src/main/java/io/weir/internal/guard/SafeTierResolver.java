package io.weir.internal.guard;

import io.weir.Policy;
import io.weir.internal.extension.PartFailures;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;

/**
 * Asks the application's {@link TierResolver}, and goes by the policy's own limit where that fails:
 * its trouble must not become the request's. Safe for concurrent use.
 */
final class SafeTierResolver {
  private final TierResolver resolver;
  private final PartFailures failures =
      new PartFailures(
          System.getLogger(SafeTierResolver.class.getName()),
          "the TierResolver failed: its callers have the policies' own limits");

  SafeTierResolver(TierResolver resolver) {
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
