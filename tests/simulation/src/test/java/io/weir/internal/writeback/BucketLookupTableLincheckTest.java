package io.weir.internal.writeback;

import io.weir.Key;
import io.weir.internal.permits.BucketRequest;
import io.weir.lincheck.Interleavings;
import io.weir.store.BucketId;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Buckets that share two slots are added and evicted.
 *
 * <p>One at a time it is a table that forgets; the test asserts that no look-up finds another
 * bucket, nor in the end one that was evicted.
 */
class BucketLookupTableLincheckTest {
  /** Of the same hash, so that they have the same two slots. */
  private static final List<Key> KEYS = List.of(Key.of("Aa"), Key.of("BB"));

  private static final List<BucketRequest> REQUESTS =
      KEYS.stream()
          .map(key -> new BucketRequest(Still.TERMS, new BucketId(Still.POLICY.spec(), key), false))
          .toList();

  /** Two buckets. */
  @Param(name = "bucket", gen = IntGen.class, conf = "0:1")
  public static class Used {
    private final CacheContext context = Still.context();
    private final BucketLookupTable recent = new BucketLookupTable(1);
    private final List<ActiveBucket> buckets =
        List.of(Still.active(REQUESTS.get(0), context), Still.active(REQUESTS.get(1), context));

    public Used() {
      add(0);
    }

    @Operation
    public void add(@Param(name = "bucket") int bucket) {
      recent.add(buckets.get(bucket));
    }

    @Operation
    public void evict(@Param(name = "bucket") int bucket) {
      buckets.get(bucket).evict(EvictionReason.TOO_MANY);
      recent.remove(buckets.get(bucket)); // as the cache of buckets does
    }

    private @Nullable ActiveBucket found(int bucket) {
      return recent.find(Still.POLICY.spec(), KEYS.get(bucket));
    }

    @Validate
    public void nobodyElseIsFoundAndNobodyWhoWasEvicted() {
      for (int i = 0; i < buckets.size(); i++) {
        ActiveBucket found = found(i);
        if (found != null && (found != buckets.get(i) || found.isEvicted())) {
          throw new IllegalStateException("a bucket that isn't there any more, or another one");
        }
      }
    }
  }

  @Test
  void nobodyFindsWhoWasEvictedOrSomebodyElse() {
    Interleavings.check(Used.class);
  }
}
