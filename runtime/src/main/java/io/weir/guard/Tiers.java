package io.weir.guard;

import io.weir.Policy;
import io.weir.key.RequestInfo;
import io.weir.policy.CallerTier;
import io.weir.policy.TierResolver;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks the application's {@link TierResolver}, and goes by the policy's own limit where that fails:
 * its trouble must not become the request's. Safe for concurrent use.
 */
final class Tiers {
  private static final System.Logger LOG = System.getLogger(Tiers.class.getName());

  private final TierResolver resolver;
  private final AtomicBoolean warned = new AtomicBoolean();

  Tiers(TierResolver resolver) {
    this.resolver = resolver;
  }

  long limit(RequestInfo request, Policy policy) {
    try {
      return resolver.resolve(request, policy).limitUnder(policy);
    } catch (RuntimeException broken) {
      warn(broken);
      return CallerTier.none().limitUnder(policy);
    }
  }

  private void warn(RuntimeException broken) {
    if (warned.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the TierResolver failed: its callers have the policies' own limits (said once)",
          broken);
    }
  }
}
