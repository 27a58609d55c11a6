package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Reason;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands for the charges that a request would have had so far, of which none is made: a policy that
 * has charged the whole cost asks for nothing more; one that hasn't asks for all of it at once.
 * Confine to one thread.
 */
final class AskedHistory extends PeekedHistory {
  private final Map<String, Long> byPolicy = new HashMap<>();
  private final Map<BucketId, Long> byBucket = new HashMap<>();

  private final Set<BucketId> refused = new HashSet<>();

  AskedHistory(Refunds refunds) {
    super(refunds);
  }

  /** Notes what a step would have charged, before the next one. */
  void charge(PermitRequest request) {
    byPolicy.merge(request.policy().name(), request.permits(), Math::max);
    byBucket.merge(
        new BucketId(request.policy().spec(), request.key()), request.permits(), Math::max);
  }

  /** Adds a denial of the access list, and each ban, once, though each step meets it. */
  @Override
  void refuse(Decision refusal) {
    boolean isOfList = refusal.reason() == Reason.DENIED || refusal.reason() == Reason.BANNED;
    if (!isOfList || refused.add(new BucketId(refusal.policy().spec(), refusal.key()))) {
      super.refuse(refusal);
    }
  }

  @Override
  boolean isNew() {
    return byPolicy.isEmpty();
  }

  @Override
  long rest(String policy, long cost) {
    return rest(byPolicy.get(policy), cost);
  }

  @Override
  long rest(BucketSpec bucket, Key key, long cost) {
    return rest(byBucket.get(new BucketId(bucket, key)), cost);
  }

  private static long rest(@Nullable Long charged, long cost) {
    return charged == null || charged < cost ? cost : -1;
  }
}
