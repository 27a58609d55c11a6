package io.weir.guard;

import io.weir.Ask;
import io.weir.key.KeyReader;
import io.weir.key.RequestInfo;
import io.weir.policy.BoundPolicy;

/** A policy bound to an endpoint, with what reads its key. Immutable. */
record GuardedPolicy(BoundPolicy bound, KeyReader reader) {
  Phase phase() {
    return reader.needsUser() ? Phase.AFTER_AUTHENTICATION : Phase.BEFORE_AUTHENTICATION;
  }

  Ask ask(RequestInfo request, Tiers tiers) {
    BoundPolicy.State now = bound.now();
    long limit = tiers.limit(request, now.policy());
    return new Ask(now.policy(), reader.read(request), now.cost(request.method()), limit);
  }
}
