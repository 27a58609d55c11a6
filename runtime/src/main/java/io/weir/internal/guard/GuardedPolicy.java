package io.weir.internal.guard;

import io.weir.PermitRequest;
import io.weir.internal.key.KeyReader;
import io.weir.internal.policy.BoundPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.Optional;

/**
 * A policy bound to an endpoint, with what reads its key and what counts its use. Safe for
 * concurrent use.
 */
record GuardedPolicy(BoundPolicy bound, KeyReader reader, PolicyUsage usage) {
  DecisionPhase phase() {
    return reader.needsUser()
        ? DecisionPhase.AFTER_AUTHENTICATION
        : DecisionPhase.BEFORE_AUTHENTICATION;
  }

  /** What a request costs. */
  PermitRequest request(RequestInfo request, SafeTierResolver tiers, CallerTier tier) {
    BoundPolicy.State now = bound.now();
    return request(now, request, tiers, tier, now.cost(request.answeredMethod()));
  }

  /** What a request costs beyond what it was charged before; nothing if that is all. */
  Optional<PermitRequest> request(
      RequestInfo request, SafeTierResolver tiers, CallerTier tier, long charged) {
    BoundPolicy.State now = bound.now();
    long rest = now.cost(request.answeredMethod()) - charged;
    return rest > 0 ? Optional.of(request(now, request, tiers, tier, rest)) : Optional.empty();
  }

  private PermitRequest request(
      BoundPolicy.State now,
      RequestInfo request,
      SafeTierResolver tiers,
      CallerTier tier,
      long permits) {
    long limit = tiers.limit(request, now.policy(), tier);
    usage.count(now.policy(), limit);
    return new PermitRequest(now.policy(), reader.read(request), permits, limit);
  }
}
