package io.weir.internal.guard;

import io.weir.PermitRequest;
import io.weir.internal.key.KeyReader;
import io.weir.internal.policy.BoundPolicy;
import io.weir.spi.RequestInfo;
import java.util.Optional;

/**
 * A policy bound to an endpoint, with what reads its key and what notes its use. Safe for
 * concurrent use.
 */
record GuardedPolicy(BoundPolicy bound, KeyReader reader, PolicyUsage use) {
  DecisionPhase phase() {
    return reader.needsUser()
        ? DecisionPhase.AFTER_AUTHENTICATION
        : DecisionPhase.BEFORE_AUTHENTICATION;
  }

  PermitRequest ask(RequestInfo request, SafeTierResolver tiers) {
    BoundPolicy.State now = bound.now();
    return ask(now, request, tiers, now.cost(request.answeredMethod()));
  }

  /** Asks for what a request costs beyond what it was charged before; nothing if that is all. */
  Optional<PermitRequest> ask(RequestInfo request, SafeTierResolver tiers, long charged) {
    BoundPolicy.State now = bound.now();
    long rest = now.cost(request.answeredMethod()) - charged;
    return rest > 0 ? Optional.of(ask(now, request, tiers, rest)) : Optional.empty();
  }

  private PermitRequest ask(
      BoundPolicy.State now, RequestInfo request, SafeTierResolver tiers, long permits) {
    long limit = tiers.limit(request, now.policy());
    use.note(now.policy(), limit);
    return new PermitRequest(now.policy(), reader.read(request), permits, limit);
  }
}
