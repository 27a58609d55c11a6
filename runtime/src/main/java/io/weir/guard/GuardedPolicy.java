package io.weir.guard;

import io.weir.Ask;
import io.weir.key.KeyReader;
import io.weir.key.RequestInfo;
import io.weir.policy.BoundPolicy;
import java.util.Optional;

/**
 * A policy bound to an endpoint, with what reads its key and what notes its use. Safe for
 * concurrent use.
 */
record GuardedPolicy(BoundPolicy bound, KeyReader reader, Use use) {
  Phase phase() {
    return reader.needsUser() ? Phase.AFTER_AUTHENTICATION : Phase.BEFORE_AUTHENTICATION;
  }

  Ask ask(RequestInfo request, Tiers tiers) {
    BoundPolicy.State now = bound.now();
    return ask(now, request, tiers, now.cost(request.answeredMethod()));
  }

  /** Asks for what a request costs beyond what it was charged before; nothing if that is all. */
  Optional<Ask> ask(RequestInfo request, Tiers tiers, long charged) {
    BoundPolicy.State now = bound.now();
    long rest = now.cost(request.answeredMethod()) - charged;
    return rest > 0 ? Optional.of(ask(now, request, tiers, rest)) : Optional.empty();
  }

  private Ask ask(BoundPolicy.State now, RequestInfo request, Tiers tiers, long permits) {
    long limit = tiers.limit(request, now.policy());
    use.note(now.policy(), limit);
    return new Ask(now.policy(), reader.read(request), permits, limit);
  }
}
