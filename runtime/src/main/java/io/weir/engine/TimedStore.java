package io.weir.engine;

import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.writeback.WriteBackEvents;
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
record TimedStore(PermitStore store, Ticker ticker, WriteBackEvents events) implements PermitStore {
  @Override
  public CompletionStage<List<Optional<Grant>>> settle(List<Claim> claims) {
    long sent = ticker.nanoTime();
    int asked = claims.size();
    return store
        .settle(claims)
        .whenComplete((grants, failure) -> settled(asked, ticker.nanoTime() - sent, failure));
  }

  private void settled(int claims, long nanos, @Nullable Throwable failure) {
    if (failure == null) {
      events.settled(claims, nanos);
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
