package io.weir.internal.permits;

import io.weir.Decision;
import io.weir.Key;
import io.weir.store.BucketId;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the engine with permits: the seam between deciding a request and finding permits for it.
 *
 * <p>One implementation asks a {@link PermitStore} for each request. Another is a cache of leases:
 * it spends the permits that it holds, refuses requests of buckets that it knows to be empty, and
 * asks the store for the rest. The engine can't distinguish them. The answer to a request is a
 * grant: its permits (all or none), the stamp to give them back by, the permits left, and the time
 * until there are more.
 *
 * <p>The engine limits the wait: a request that isn't answered within the store time-out is decided
 * without the store. If the answer arrives later, its permits are given back.
 *
 * <p>Safe for concurrent use.
 */
public interface PermitSource extends AutoCloseable {
  /**
   * Decides a request of one policy without asking the store and without waiting, if that is
   * possible. Most requests are decided so, hence it should be cheap.
   *
   * @param terms the limits that apply, and the number of permits, at most the burst
   * @return the decision that the answer of {@link #take} would lead to; null, and nothing is
   *     taken, if it takes {@link #take}
   */
  default @Nullable Decision decideNow(RequestTerms terms, Key key) {
    return null;
  }

  /**
   * Decides a request of several policies without asking the store, if it is certain that all of
   * them admit it; otherwise like {@link #decideNow(RequestTerms, Key)}.
   *
   * @param allTerms the terms of each policy, at least one; several may be of the same bucket
   * @param keys the caller's key under each policy, in the same order
   * @return an admission by each, in order; null, and nothing is taken from any, if one of them
   *     refuses or it takes {@link #take}
   */
  default @Nullable List<Decision> decideNow(List<RequestTerms> allTerms, List<Key> keys) {
    return null;
  }

  /**
   * Takes the permits of one request from all its buckets, without waiting. If one bucket is known
   * to refuse, the others may be skipped: they are answered by a grant without permits whose {@code
   * retry} is 0.
   *
   * @param requests at least one, in order; several may be of the same bucket
   * @return one answer for each, in order: the grant, or nothing where the store couldn't be
   *     reached; completed exceptionally if it couldn't for any of them
   */
  CompletionStage<List<Optional<Grant>>> take(List<BucketRequest> requests);

  /**
   * Takes the permits of one request as {@link #take} does, for a thread that waits for them: the
   * thread may be used to ask the store, for this request and for others that arrive meanwhile.
   * Returns when the request is answered, and no later than the store time-out; the stage may be
   * completed later.
   */
  default CompletionStage<List<Optional<Grant>>> takeBlocking(List<BucketRequest> requests) {
    return take(requests);
  }

  /**
   * Gives back permits that a request took, to the window that they came from.
   *
   * @param permits how many, 1 and more
   * @return completed once they are given back; exceptionally if they are lost
   */
  CompletionStage<?> giveBack(BucketRequest request, long stamp, long permits);

  /**
   * Reports what became of permits that a request took from a bucket that a success clears.
   *
   * @param permits how many, 1 and more
   * @param succeeded whether it is a success: its permits are given back, and failures that were
   *     reported before they were granted are cleared; otherwise it is a failure, which counts
   *     until it is cleared
   * @return completed once it is reported; exceptionally if that is lost
   */
  CompletionStage<?> end(BucketRequest request, long stamp, long permits, boolean succeeded);

  /**
   * Charges permits, whether they are there or not.
   *
   * @return completed once they are certain to be charged; exceptionally if they may not be
   */
  CompletionStage<?> charge(BucketRequest debt);

  /**
   * Records permits that were admitted while the store couldn't be reached, to be charged once it
   * can.
   */
  void owe(BucketRequest debt);

  /** Cancels a debt that {@link #owe} recorded, as far as it hasn't been sent to the store yet. */
  void cancelDebt(BucketRequest debt);

  /**
   * Returns what this node knows of a bucket, for a decision without the store.
   *
   * @param share permits at once that this node may admit by itself
   * @return {@link LocalBucketView#NOTHING} unless overridden
   */
  default LocalBucketView localView(BucketRequest request, long share) {
    return LocalBucketView.NOTHING;
  }

  /**
   * Returns how long the store has owed an answer about a bucket, in microseconds; negative if
   * unknown, as here.
   */
  default long silentMicros(BucketRequest request) {
    return -1;
  }

  /**
   * Gives up what is held and known of some buckets: leases are given back, and the next request
   * asks the store. Does nothing if nothing is held, as here.
   */
  default void letGo(Predicate<BucketId> which) {}

  /**
   * Gives up what is held and known of a bucket that is being reset, and drops its debts. Does
   * nothing if nothing is held, as here.
   */
  default void letGoAfterReset(BucketId bucket) {}

  /**
   * Makes a bucket full again where it is counted.
   *
   * @return completed once it is full; by a source that can't do that, as here, exceptionally
   */
  default CompletionStage<?> forget(BucketId bucket) {
    return CompletableFuture.failedStage(
        new UnsupportedOperationException("this source can't forget a bucket"));
  }

  /** Returns the number of live nodes that share the store; 1 if unknown. */
  int nodes();

  /**
   * Returns the number of parts into which each limit is divided while the store can't be reached,
   * one for each node: {@link #nodes()} unless overridden, and more where nodes that join are heard
   * of late.
   */
  default int parts() {
    return nodes();
  }

  /**
   * Returns how often the shared store was found to have lost its data; 0 unless overridden. What
   * was known of the use of a bucket before a loss may be less than what the store had counted.
   */
  default long dataLosses() {
    return 0;
  }

  /** Returns an estimate of the number of buckets held in this process. */
  long size();

  /** Gives back the held permits and closes the store. Idempotent. */
  @Override
  void close();
}
