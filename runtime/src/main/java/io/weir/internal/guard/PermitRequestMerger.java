package io.weir.internal.guard;

import io.weir.PermitRequest;
import io.weir.store.BucketId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges the permit requests of several readings of one request, so that each bucket is asked once:
 * for the larger cost, under the lower limit; a policy in shadow mode gives way to another. Confine
 * to one thread at a time.
 */
final class PermitRequestMerger {
  private final Map<BucketId, PermitRequest> byBucket = new LinkedHashMap<>();

  /** Adds the permit requests of a reading, and returns all so far. */
  List<PermitRequest> and(List<PermitRequest> wanted) {
    for (PermitRequest each : wanted) {
      byBucket.merge(
          new BucketId(each.policy().spec(), each.key()), each, PermitRequestMerger::together);
    }
    return List.copyOf(byBucket.values());
  }

  static PermitRequest together(PermitRequest one, PermitRequest other) {
    if (one.policy().shadow() != other.policy().shadow()) {
      return one.policy().shadow() ? other : one;
    }
    PermitRequest lower = other.limit() < one.limit() ? other : one;
    return new PermitRequest(
        lower.policy(),
        lower.key(),
        Math.max(one.permits(), other.permits()),
        lower.limit(),
        Math.max(one.used(), other.used()));
  }
}
