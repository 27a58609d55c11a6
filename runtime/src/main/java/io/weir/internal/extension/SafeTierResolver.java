package io.weir.internal.extension;

import io.weir.Policy;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import java.util.Objects;

/**
 * Asks the application's {@link TierResolver}; if it fails, the caller has no tier. Safe for
 * concurrent use.
 */
public final class SafeTierResolver {
  private final TierResolver resolver;
  private final SafeCalls calls =
      new SafeCalls(
          System.getLogger(SafeTierResolver.class.getName()),
          "the TierResolver failed: such callers get the policies' own limits");

  public SafeTierResolver(TierResolver resolver) {
    this.resolver = resolver;
  }

  /** Asks for the tier of a caller, whatever the policy. */
  public CallerTier tier(RequestInfo request) {
    try { // no lambdas, since this is called for each request
      return Objects.requireNonNull(resolver.tier(request), "null instead of a CallerTier");
    } catch (Throwable broken) {
      calls.failed(broken);
      return CallerTier.none();
    }
  }

  /**
   * Asks for the tier of a caller under one policy.
   *
   * @param tier the answer of {@link #tier}, which holds unless the resolver has one for the policy
   * @return its tier under the policy; the given one if the resolver fails
   */
  public CallerTier tierUnder(RequestInfo request, Policy policy, CallerTier tier) {
    try {
      CallerTier ofPolicy = resolver.resolve(request, policy);
      return ofPolicy.isNone() ? tier : ofPolicy;
    } catch (Throwable broken) {
      calls.failed(broken);
      return tier;
    }
  }
}
