package io.weir.benchmarks.decisions.cases;

import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * A store whose exchanges are counted on the way, apart from the limiter's own metrics, which would
 * cost what is measured.
 *
 * @param store the one that is asked
 * @param exchanges claims, all of them
 * @param waits claims that a request waited for
 * @param failures settles that failed
 */
record CountedStore(LeasingStore store, LongAdder exchanges, LongAdder waits, LongAdder failures)
    implements LeasingStore {
  CountedStore(LeasingStore store) {
    this(store, new LongAdder(), new LongAdder(), new LongAdder());
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> settle(List<Claim> claims) {
    exchanges.add(claims.size());
    waits.add(claims.stream().filter(claim -> claim.needed() > 0).count());
    return store
        .settle(claims)
        .whenComplete(
            (grants, failure) -> {
              if (failure != null) {
                failures.increment();
              }
            });
  }

  @Override
  public long minLifeMicros() {
    return store.minLifeMicros();
  }

  @Override
  public int lane(Bucket bucket) {
    return store.lane(bucket);
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    return store.heartbeat(node);
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return store.leave(node);
  }

  @Override
  public long size() {
    return store.size();
  }

  @Override
  public void close() {
    store.close();
  }
}
