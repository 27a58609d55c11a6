package io.weir.internal.permits;

import io.weir.Decision;
import io.weir.Key;
import io.weir.store.BucketId;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the engine takes permits from: the seam between deciding a request and knowing whether
 * there are permits for it.
 *
 * <p>One implementation asks a {@link PermitStore} for each request. Another is a cache of leases:
 * it spends what it holds, refuses what it knows to be empty, and asks the store for the rest. The
 * engine can't tell them apart. The answer to a request is a grant: its permits (all that were
 * requested or none), the stamp to give them back by, how many are left and when there will be
 * more.
 *
 * <p>The engine bounds the wait: what isn't answered within the store time-out is decided without
 * the store. If the answer arrives later, its permits are given back.
 *
 * <p>Safe for concurrent use.
 */
public interface PermitSource extends AutoCloseable {
  /**
   * Decides a request of one policy if that is possible here and now, without asking the store and
   * without waiting. Most requests are decided like this, so it should be cheap.
   *
   * @param terms the limits that apply, and how many permits are requested; at most the burst
   * @param key whom it counts
   * @return the decision that the answer of {@link #take} would lead to; null, and nothing is
   *     taken, if only {@link #take} can tell
   */
  default @Nullable Decision decideNow(PolicyTerms terms, Key key) {
    return null;
  }

  /**
   * Decides a request of several policies if it is certain here and now that all of them admit it;
   * like {@link #decideNow(PolicyTerms, Key)} for one.
   *
   * @param allTerms the terms of each policy, at least one; several may be of the same bucket
   * @param keys whom each policy counts, in the same order
   * @return an admission by each, in order; null, and nothing is taken from any, if one of them
   *     refuses or only {@link #take} can tell
   */
  default @Nullable List<Decision> decideNow(List<PolicyTerms> allTerms, List<Key> keys) {
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
   * Takes the permits of one request as {@link #take} does, for a thread that has to wait for them:
   * it may be used to ask the store, for this request and for others that come meanwhile. Returns
   * when the request is answered, and no later than the store time-out.
   *
   * @param requests see {@link #take}
   * @return see {@link #take}; may be completed later
   */
  default CompletionStage<List<Optional<Grant>>> takeBlocking(List<BucketRequest> requests) {
    return take(requests);
  }

  /**
   * Gives back permits that a request took: to the window that they came from, never to a later
   * one.
   *
   * @param request the request, with the limits that are in force now
   * @param stamp the grant's stamp
   * @param permits how many, 1 and more
   * @return completed when it is done; exceptionally if the permits are lost
   */
  CompletionStage<?> giveBack(BucketRequest request, long stamp, long permits);

  /**
   * Charges permits, whether they are there or not.
   *
   * @param debt how many, of which bucket
   * @return completed when they are certain to be charged; exceptionally if they may not be
   */
  CompletionStage<?> charge(BucketRequest debt);

  /**
   * Records permits that were admitted while the store was away, to be charged once it is back.
   *
   * @param debt how many, of which bucket
   */
  void owe(BucketRequest debt);

  /**
   * Cancels a debt that {@link #owe} recorded, as far as the store hasn't been told of it yet.
   *
   * @param debt how many, of which bucket
   */
  void cancelDebt(BucketRequest debt);

  /**
   * What this node knows of a bucket, for a decision without the store.
   *
   * @param request what is requested
   * @param share permits at once that this node may admit by itself
   * @return what is known; {@link LocalBucketView#NOTHING} unless overridden
   */
  default LocalBucketView localView(BucketRequest request, long share) {
    return LocalBucketView.NOTHING;
  }

  /**
   * For how long the store has owed an answer about a bucket.
   *
   * @param request what is requested of the bucket
   * @return microseconds; negative if that is unknown, as here
   */
  default long silentMicros(BucketRequest request) {
    return -1;
  }

  /**
   * Lets go of what is held and known of some buckets: leases are given back, and the next request
   * asks the store. Does nothing where nothing is held, as here.
   *
   * @param which the buckets; asked for each that is held in this process
   */
  default void letGo(Predicate<BucketId> which) {}

  /**
   * The number of nodes that share each limit while the store is away.
   *
   * @return 1 and more; 1 if unknown
   */
  int nodes();

  /**
   * How many buckets are held in this process.
   *
   * @return an estimate
   */
  long size();

  /** Gives back what is held and closes the store. Idempotent. */
  @Override
  void close();
}
