package io.weir.internal.engine;

import io.weir.PermitRequest;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.time.Duration;

/**
 * The bucket in which a node counts its share of a limit while it can't reach the store.
 *
 * <p>A node's share of a refill is rounded down. Where that is nothing, one permit comes back, but
 * only after as many windows as the nodes together may have one for each: with 2 an hour among 5
 * nodes each gets one every 3 hours. So all nodes together never get back more than the refill.
 */
final class LocalBucket {
  private LocalBucket() {}

  /** The bucket of a request at one of so many nodes. */
  static BucketId of(PermitRequest request, int nodes) {
    return new BucketId(share(request.policy().spec(), nodes), request.key());
  }

  private static BucketSpec share(BucketSpec spec, int nodes) {
    if (spec.refill() == 0 || nodes == 1) {
      return spec;
    }
    long refill = spec.refill() / nodes;
    long windows = refill > 0 ? 1 : (nodes + spec.refill() - 1) / spec.refill();
    Duration window = spec.window().multipliedBy(windows);
    return BucketSpec.builder(spec.name())
        .algorithm(spec.algorithm())
        .window(window.compareTo(BucketSpec.MAX_WINDOW) > 0 ? BucketSpec.MAX_WINDOW : window)
        .refill(Math.max(1, refill))
        .strict(spec.strict())
        .build();
  }
}
