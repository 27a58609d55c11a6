package io.weir.internal.engine;

import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.StoreListener;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store elsewhere that is asked for each request, and whose settles are measured.
 *
 * <p>Safe for concurrent use.
 *
 * @param store the store
 * @param ticker the source of time
 * @param events is told what was settled
 */
record TimedStore(PermitStore store, Ticker ticker, StoreListener events) implements PermitStore {
  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    long sent = ticker.nanoTime();
    int asked = claims.size();
    return store
        .execute(claims)
        .whenComplete((grants, failure) -> storeExecuted(asked, ticker.nanoTime() - sent, failure));
  }

  private void storeExecuted(int claims, long nanos, @Nullable Throwable failure) {
    if (failure == null) {
      events.storeExecuted(claims, nanos);
    }
  }

  @Override
  public Set<Algorithm> algorithms() {
    return store.algorithms();
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
