package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.ImmediateStore;
import io.weir.internal.permits.PermitSource;
import io.weir.internal.permits.RequestDecision;
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
 * Takes permits from a store by asking it for each request, without a cache.
 *
 * <p>Safe for concurrent use.
 */
final class DirectPermitSource implements PermitSource {
  private final PermitStore store;
  private final @Nullable ImmediateStore immediate; // the same, if it is in this process
  private final int nodes;
  private final Ticker ticker;
  private final StoreListener listener;

  /** Has {@code listener} receive the calls of a store that isn't in this process. */
  DirectPermitSource(PermitStore store, int nodes, Ticker ticker, StoreListener listener) {
    this.store = store;
    this.immediate = store instanceof ImmediateStore here ? here : null;
    this.nodes = nodes;
    this.ticker = ticker;
    this.listener = listener;
  }

  @Override
  public @Nullable Decision decideNow(RequestTerms terms, Key key) {
    if (immediate == null) {
      return null;
    }
    // Permits known to be used are reported by each claim.
    Decision known = terms.used() > 0 ? null : immediate.decideNow(terms, key);
    return known != null ? known : executeNow(immediate, terms, key);
  }

  @Override
  public @Nullable List<Decision> decideNow(List<RequestTerms> allTerms, List<Key> keys) {
    return immediate == null || anyKnowsUsed(allTerms) ? null : immediate.decideNow(allTerms, keys);
  }

  private static boolean anyKnowsUsed(List<RequestTerms> allTerms) {
    for (int i = 0; i < allTerms.size(); i++) {
      if (allTerms.get(i).used() > 0) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Decision executeNow(ImmediateStore store, RequestTerms terms, Key key) {
    BucketId bucket = new BucketId(terms.policy().spec(), key);
    Grant grant = store.executeNow(new BucketRequest(terms, bucket, false).claim());
    if (grant == null) {
      return null;
    }
    return grant.permits() > 0
        ? RequestDecision.admit(terms, key, grant.left(), grant.reset(), grant.stamp())
        : RequestDecision.refuse(terms, key, grant.left(), grant.reset(), grant.retry());
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> take(List<BucketRequest> requests) {
    List<Claim> claims = new ArrayList<>(requests.size());
    for (BucketRequest request : requests) {
      claims.add(request.claim());
    }
    return execute(claims);
  }

  @Override
  public CompletionStage<?> giveBack(BucketRequest request, long stamp, long permits) {
    return execute(List.of(request.giveBack(stamp, permits)));
  }

  @Override
  public CompletionStage<?> end(
      BucketRequest request, long stamp, long permits, boolean succeeded) {
    return execute(List.of(request.ended(stamp, permits, succeeded)));
  }

  @Override
  public CompletionStage<?> charge(BucketRequest debt) {
    return execute(List.of(debt.debt()));
  }

  private CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    boolean remote = immediate == null;
    long sent = remote ? ticker.nanoTime() : 0;
    int expected = claims.size();
    try {
      return store
          .execute(claims)
          .handle(
              (grants, failure) -> {
                if (remote && failure == null) {
                  listener.storeExecuted(expected, ticker.nanoTime() - sent);
                }
                return answered(expected, grants, failure);
              });
    } catch (RuntimeException | LinkageError broken) {
      listener.failed(broken);
      return CompletableFuture.failedStage(broken);
    }
  }

  private List<Optional<Grant>> answered(
      int expected, @Nullable List<Optional<Grant>> grants, @Nullable Throwable failure) {
    if (failure == null && grants != null && grants.size() == expected) {
      listener.answered();
      return grants;
    }
    Throwable cause = failure != null ? failure : incomplete(expected, grants);
    listener.failed(cause);
    throw new CompletionException(cause);
  }

  private static Throwable incomplete(int expected, @Nullable List<Optional<Grant>> grants) {
    int actual = grants == null ? 0 : grants.size();
    return new IllegalStateException(
        "the store answered " + expected + " claims with " + actual + " grants");
  }

  /** Does nothing: a store that is asked for each request isn't informed of debts afterwards. */
  @Override
  public void owe(BucketRequest debt) {}

  @Override
  public void cancelDebt(BucketRequest debt) {}

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    return store.forget(bucket);
  }

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
