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
 * Entries that share two places are added and evicted.
 *
 * <p>One at a time it is a table that forgets; what is asserted of it is that nobody finds another
 * bucket's entry, nor in the end one that was evicted.
 */
class RecentBucketsLincheckTest {
  /** Of the same hash, so that they have the same two places. */
  private static final List<Key> KEYS = List.of(Key.of("Aa"), Key.of("BB"));

  private static final List<BucketRequest> WISHES =
      KEYS.stream()
          .map(key -> new BucketRequest(Still.OFFER, new BucketId(Still.POLICY.spec(), key), false))
          .toList();

  /** Two entries. */
  @Param(name = "entry", gen = IntGen.class, conf = "0:1")
  public static class Used {
    private final CacheContext node = Still.node();
    private final List<ActiveBucket> entries =
        List.of(Still.entry(WISHES.get(0), node), Still.entry(WISHES.get(1), node));

    public Used() {
      add(0);
    }

    @Operation
    public void add(@Param(name = "entry") int entry) {
      node.shortcuts().add(entries.get(entry));
    }

    @Operation
    public void evict(@Param(name = "entry") int entry) {
      entries.get(entry).evict();
    }

    private @Nullable ActiveBucket found(int entry) {
      return node.shortcuts().find(Still.POLICY.spec(), KEYS.get(entry));
    }

    @Validate
    public void nobodyElseIsFoundAndNobodyWhoWasEvicted() {
      for (int i = 0; i < entries.size(); i++) {
        ActiveBucket found = found(i);
        if (found != null && (found != entries.get(i) || found.isEvicted())) {
          throw new IllegalStateException("an entry that isn't there any more, or another one");
        }
      }
    }
  }

  @Test
  void nobodyFindsWhoWasEvictedOrSomebodyElse() {
    Interleavings.check(Used.class);
  }
}
