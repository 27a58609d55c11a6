package io.weir.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.inprocess.InProcessStore;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitSource;
import io.weir.store.PermitStore;
import io.weir.store.Wish;
import io.weir.writeback.WriteBackEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Takes permits from a store, asking it for each request.
 *
 * <p>Safe for concurrent use.
 */
final class StoreSource implements PermitSource {
  private final PermitStore store;
  private final int nodes;
  private final WriteBackEvents events;

  StoreSource(PermitStore store, int nodes, WriteBackEvents events) {
    this.store = store;
    this.nodes = nodes;
    this.events = events;
  }

  @Override
  public @Nullable Decision decideNow(Offer offer, Key key) {
    if (!(store instanceof InProcessStore here)) {
      return null;
    }
    Decision admission = here.decideNow(offer, key);
    return admission != null ? admission : settleNow(here, offer, key);
  }

  @Override
  public @Nullable List<Decision> decideNow(List<Offer> offers, List<Key> keys) {
    return store instanceof InProcessStore here ? here.decideNow(offers, keys) : null;
  }

  private static @Nullable Decision settleNow(InProcessStore here, Offer offer, Key key) {
    Bucket bucket = new Bucket(offer.policy().shape(), key);
    Grant grant =
        here.settleNow(Claim.of(bucket, offer.permits(), offer.capacity(), offer.burst()));
    if (grant == null) {
      return null;
    }
    return grant.permits() > 0
        ? offer.admit(key, grant.left(), grant.reset(), grant.stamp())
        : offer.refuse(key, grant.left(), grant.reset(), grant.retry());
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
      int asked = claims.size();
      return store.settle(claims).handle((grants, failure) -> answered(asked, grants, failure));
    } catch (RuntimeException | LinkageError broken) {
      events.failed(broken);
      return CompletableFuture.failedStage(broken);
    }
  }

  private List<Optional<Grant>> answered(
      int asked, @Nullable List<Optional<Grant>> grants, @Nullable Throwable failure) {
    if (failure == null && grants != null && grants.size() == asked) {
      events.answered();
      return grants;
    }
    Throwable cause = failure != null ? failure : tooLittle(asked, grants);
    events.failed(cause);
    throw new CompletionException(cause);
  }

  private static Throwable tooLittle(int asked, @Nullable List<Optional<Grant>> grants) {
    int got = grants == null ? 0 : grants.size();
    return new IllegalStateException(
        "the store answered " + asked + " claims with " + got + " grants");
  }

  /** A store that is asked for each request isn't told afterwards. */
  @Override
  public void owe(Wish debt) {}

  @Override
  public void forgive(Wish debt) {}

  @Override
  public int nodes() {
    return nodes;
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
