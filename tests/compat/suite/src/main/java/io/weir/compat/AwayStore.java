package io.weir.compat;

import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that can't be reached. Safe for concurrent use. */
public final class AwayStore implements PermitStore {
  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return CompletableFuture.failedFuture(new IllegalStateException("the store is away"));
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {}
}
