package io.weir.internal.rules.assembly;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.store.SimulatedStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store of several nodes that can lose its data, or be away. */
final class SharedStore implements PermitStore {
  private final FakeTicker ticker;
  private SimulatedStore store;
  private boolean away;

  SharedStore(FakeTicker ticker) {
    this.ticker = ticker;
    this.store = new SimulatedStore(ticker::epochMicros);
  }

  synchronized void loseData() {
    store = new SimulatedStore(ticker::epochMicros);
  }

  synchronized void away(boolean wanted) {
    away = wanted;
  }

  @Override
  public synchronized CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return away
        ? CompletableFuture.failedFuture(new IllegalStateException("away, on purpose"))
        : store.execute(claims);
  }

  @Override
  public synchronized Set<Algorithm> algorithms() {
    return store.algorithms();
  }

  @Override
  public synchronized boolean counts(BucketSpec spec) {
    return store.counts(spec);
  }

  @Override
  public synchronized long size() {
    return store.size();
  }

  @Override
  public void close() {}
}
