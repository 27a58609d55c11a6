package io.weir.testkit;

import io.weir.Ticker;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;

/** The store of docs/stores.md: buckets as bytes in a map, changed by compare-and-set. */
final class MapStore implements PermitStore {
  private final ConcurrentMap<String, byte[]> map;
  private final BucketHasher names;
  private final Ticker ticker;
  private final BucketArithmetic arithmetic = BucketArithmetic.exact();

  MapStore(ConcurrentMap<String, byte[]> map, String secret, Ticker ticker) {
    this.map = map;
    this.names = BucketHasher.of(secret);
    this.ticker = ticker;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return CompletableFuture.completedFuture(
        claims.stream().map(claim -> Optional.of(execute(claim))).toList());
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return true;
  }

  private Grant execute(Claim claim) {
    String name = names.of(claim.bucket());
    while (true) {
      byte[] before = map.get(name);
      BucketUpdate update = arithmetic.execute(before, claim, ticker.epochMicros());
      if (!update.isChanged() || swap(name, before, update.bytes())) {
        return update.grant();
      } // else another claim came first: retry with the new bytes
    }
  }

  private boolean swap(String name, byte[] before, byte[] after) {
    if (before == null) {
      return map.putIfAbsent(name, after) == null;
    }
    return after == null ? map.remove(name, before) : map.replace(name, before, after);
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    map.remove(names.of(bucket));
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public long size() {
    return map.size();
  }

  @Override
  public void close() {}
}
