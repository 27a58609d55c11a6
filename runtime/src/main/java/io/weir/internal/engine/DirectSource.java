package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.ImmediateStore;
import io.weir.internal.permits.PermitSource;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.permits.StoreListener;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
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
final class DirectSource implements PermitSource {
  private final PermitStore store;
  private final int nodes;
  private final StoreListener events;

  DirectSource(PermitStore store, int nodes, StoreListener events) {
    this.store = store;
    this.nodes = nodes;
    this.events = events;
  }

  @Override
  public @Nullable Decision decideNow(RequestTerms terms, Key key) {
    if (!(store instanceof ImmediateStore here)) {
      return null;
    }
    Decision admission = here.decideNow(terms, key);
    return admission != null ? admission : executeNow(here, terms, key);
  }

  @Override
  public @Nullable List<Decision> decideNow(List<RequestTerms> allTerms, List<Key> keys) {
    return store instanceof ImmediateStore here ? here.decideNow(allTerms, keys) : null;
  }

  private static @Nullable Decision executeNow(ImmediateStore here, RequestTerms terms, Key key) {
    BucketId bucket = new BucketId(terms.policy().spec(), key);
    Grant grant =
        here.executeNow(Claim.of(bucket, terms.permits(), terms.effectiveLimit(), terms.burst()));
    if (grant == null) {
      return null;
    }
    return grant.permits() > 0
        ? terms.admit(key, grant.left(), grant.reset(), grant.stamp())
        : terms.refuse(key, grant.left(), grant.reset(), grant.retry());
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> take(List<BucketRequest> wishes) {
    List<Claim> claims = new ArrayList<>(wishes.size());
    for (BucketRequest wish : wishes) {
      claims.add(wish.claim());
    }
    return execute(claims);
  }

  @Override
  public CompletionStage<?> giveBack(BucketRequest wish, long stamp, long permits) {
    return execute(List.of(wish.giveBack(stamp, permits)));
  }

  @Override
  public CompletionStage<?> charge(BucketRequest debt) {
    return execute(List.of(debt.debt()));
  }

  private CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    try {
      int asked = claims.size();
      return store.execute(claims).handle((grants, failure) -> answered(asked, grants, failure));
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
  public void owe(BucketRequest debt) {}

  @Override
  public void forgive(BucketRequest debt) {}

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
