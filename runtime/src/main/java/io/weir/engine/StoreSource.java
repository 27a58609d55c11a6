package io.weir.engine;

import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitSource;
import io.weir.store.PermitStore;
import io.weir.store.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Takes permits from a store, asking it for each request.
 *
 * <p>Safe for concurrent use.
 */
final class StoreSource implements PermitSource {
  private final PermitStore store;

  StoreSource(PermitStore store) {
    this.store = store;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> take(List<Wish> wishes) {
    List<Claim> claims = new ArrayList<>(wishes.size());
    for (Wish wish : wishes) {
      claims.add(wish.claim());
    }
    return settle(claims);
  }

  @Override
  public CompletionStage<?> giveBack(Wish wish, long stamp, long permits) {
    return settle(List.of(wish.giveBack(stamp, permits)));
  }

  @Override
  public CompletionStage<?> charge(Wish debt) {
    return settle(List.of(debt.debt()));
  }

  private CompletionStage<List<Optional<Grant>>> settle(List<Claim> claims) {
    try {
      return store.settle(claims).thenApply(grants -> complete(claims, grants));
    } catch (RuntimeException | LinkageError broken) {
      return CompletableFuture.failedStage(broken);
    }
  }

  private static List<Optional<Grant>> complete(List<Claim> claims, List<Optional<Grant>> grants) {
    if (grants.size() != claims.size()) {
      throw new IllegalStateException(
          "the store answered " + claims.size() + " claims with " + grants.size() + " grants");
    }
    return grants;
  }

  /** A store that is asked for each request isn't told afterwards. */
  @Override
  public void owe(Wish debt) {}

  @Override
  public void forgive(Wish debt) {}

  @Override
  public int nodes() {
    return 1;
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
