package io.weir.internal.permits;

import io.weir.Decision;
import io.weir.Key;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Where the engine takes permits from: the seam between deciding a request and knowing whether
 * there are permits for it.
 *
 * <p>The engine's own source asks a {@link PermitStore} for each request. A cache of leases is
 * another: it spends what it holds, refuses what it knows to be empty, and asks the store for the
 * rest. To the engine both look alike, so it needs no change for a new one. What a source answers
 * is the grant for one wish: its permits (all that were wished for or none), the stamp to give them
 * back by, what is left for this caller and when there will be more.
 *
 * <p>The engine bounds the wait: what isn't answered within the store time-out it decides without
 * the store, and when the answer does come, it gives back what that granted.
 *
 * <p>Safe for concurrent use.
 */
public interface PermitSource extends AutoCloseable {
  /**
   * Decides a request of one policy, if that can be told here and now: it is asked of nobody, and
   * nobody waits. This is how most requests are decided, so it should cost little.
   *
   * @param terms what is in force for the request, and how much it takes; no more than the burst
   * @param key whom it counts
   * @return the decision that the answer of {@link #take} would lead to; null, and nothing is
   *     taken, if only that can tell
   */
  default @Nullable Decision decideNow(RequestTerms terms, Key key) {
    return null;
  }

  /**
   * Decides a request of several policies, if it can be told here and now that all of them admit
   * it; as {@link #decideNow(RequestTerms, Key)} does for one.
   *
   * @param allTerms what is in force for each, at least one; also several of one bucket
   * @param keys whom each counts, as many
   * @return an admission by each, in order; null, and nothing is taken of any, if one of them
   *     refuses or only {@link #take} can tell
   */
  default @Nullable List<Decision> decideNow(List<RequestTerms> allTerms, List<Key> keys) {
    return null;
  }

  /**
   * Takes what one request wishes for, without waiting. If it is known that a wish can't be met,
   * the others needn't be taken: a grant without permits whose {@code retry} is 0 says so.
   *
   * @param wishes at least one, also several of one bucket, in order
   * @return one answer for each, in order: the grant, or nothing where the store couldn't be asked;
   *     completed exceptionally if none could be
   */
  CompletionStage<List<Optional<Grant>>> take(List<BucketRequest> wishes);

  /**
   * Gives permits back that a wish got: to where its grant came from, never to a later window.
   *
   * @param wish the wish, with the capacity that is in force now
   * @param stamp the grant's stamp
   * @param permits how many, 1 and more
   * @return completed when it is done; exceptionally if the permits are lost
   */
  CompletionStage<?> giveBack(BucketRequest wish, long stamp, long permits);

  /**
   * Charges permits whatever is left.
   *
   * @param debt how many, of which bucket
   * @return completed when it is sure to be charged; exceptionally if it may not be
   */
  CompletionStage<?> charge(BucketRequest debt);

  /**
   * Notes what was admitted while the store was away, to be charged once it is back.
   *
   * @param debt how many, of which bucket
   */
  void owe(BucketRequest debt);

  /**
   * Takes back what {@link #owe} noted, as far as the store hasn't been told.
   *
   * @param debt how many, of which bucket
   */
  void forgive(BucketRequest debt);

  /**
   * Tells what is known of a bucket without asking anybody, for a decision without the store.
   *
   * @param wish what a request wants
   * @param share permits at once that this node may admit by itself
   * @return what is known; {@link LocalKnowledge#NOTHING} where nothing is, as here
   */
  default LocalKnowledge view(BucketRequest wish, long share) {
    return LocalKnowledge.NOTHING;
  }

  /**
   * Among how many nodes a limit is divided while the store is away.
   *
   * @return 1 and more; 1 where nobody knows
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
