package io.weir.guard;

import io.weir.Ask;
import io.weir.key.KeyReader;
import io.weir.key.RequestInfo;
import io.weir.policy.BoundPolicy;

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
    long limit = tiers.limit(request, now.policy());
    use.note(now.policy(), limit);
    return new Ask(now.policy(), reader.read(request), now.cost(request.method()), limit);
  }
}
