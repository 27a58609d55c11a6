package io.weir.internal.ban;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Ticker;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Counts the strikes and bans of this node alone. Of more callers than there is room for it forgets
 * some, so that they have fewer strikes. Safe for concurrent use.
 */
final class LocalBuckets {
  private static final int MAX_BUCKETS = 100_000;

  private final BucketArithmetic arithmetic = BucketArithmetic.exact();
  private final Ticker ticker;
  private final Cache<BucketId, byte[]> buckets =
      Caffeine.newBuilder().maximumSize(MAX_BUCKETS).executor(Runnable::run).build();

  LocalBuckets(Ticker ticker) {
    this.ticker = ticker;
  }

  Grant execute(Claim claim) {
    AtomicReference<@Nullable BucketUpdate> update = new AtomicReference<>();
    buckets
        .asMap()
        .compute(
            claim.bucket(),
            (bucket, bytes) -> {
              BucketUpdate next = arithmetic.execute(bytes, claim, ticker.epochMicros());
              update.set(next);
              return next.bytes();
            });
    BucketUpdate done = update.get();
    if (done == null) {
      throw new IllegalStateException("the cache hasn't computed " + claim);
    }
    return done.grant();
  }

  void forget(BucketId bucket) {
    buckets.invalidate(bucket);
  }
}
