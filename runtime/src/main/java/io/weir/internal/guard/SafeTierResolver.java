package io.weir.internal.guard;

import io.weir.Policy;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import java.util.Objects;

/**
 * Asks the application's {@link TierResolver}; where it fails, the caller has no tier. Safe for
 * concurrent use.
 */
final class SafeTierResolver {
  private final TierResolver resolver;
  private final SafeCalls calls =
      new SafeCalls(
          System.getLogger(SafeTierResolver.class.getName()),
          "the TierResolver failed: its callers have the policies' own limits");

  SafeTierResolver(TierResolver resolver) {
    this.resolver = resolver;
  }

  /** The tier of a request's caller, whatever the policy. */
  CallerTier tier(RequestInfo request) {
    try { // no lambdas, since this is called for each request
      return Objects.requireNonNull(resolver.tier(request), "null instead of a CallerTier");
    } catch (Throwable broken) {
      calls.failed(broken);
      return CallerTier.none();
    }
  }

  /**
   * The limit of a caller under one policy.
   *
   * @param tier what {@link #tier} said; holds where the resolver says nothing of this policy
   */
  long limit(RequestInfo request, Policy policy, CallerTier tier) {
    try {
      CallerTier ofPolicy = resolver.resolve(request, policy);
      return (ofPolicy.isNone() ? tier : ofPolicy).limitUnder(policy);
    } catch (Throwable broken) {
      calls.failed(broken);
      return tier.limitUnder(policy);
    }
  }
}
