package io.weir.compat.servlet;

import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that nobody can reach. */
final class AwayStore implements PermitStore {
  @Override
  public CompletionStage<List<Grant>> settle(List<Claim> claims) {
    return CompletableFuture.failedFuture(new IllegalStateException("away"));
  }

  @Override
  public boolean direct() {
    return true;
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {}
}
