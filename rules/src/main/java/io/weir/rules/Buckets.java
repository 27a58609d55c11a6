package io.weir.rules;

import io.weir.Key;
import io.weir.Policy;
import io.weir.store.BucketPage;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Lists and resets the buckets that callers are counted in.
 *
 * <p>Safe for concurrent use.
 */
public interface Buckets {
  /**
   * The {@link io.weir.rules.history.RuleChange#table() table} of the change that reports a reset
   * bucket.
   */
  String CHANGES = "buckets";

  /**
   * Returns the name of a bucket for people. It doesn't reveal the caller without {@code
   * weir.secret}.
   *
   * @param policy the policy that counts
   * @param key the caller that it counts
   * @return 22 letters, digits, {@code -} and {@code _}
   * @throws IllegalStateException if no running application uses these rules
   */
  String name(Policy policy, Key key);

  /**
   * Fills a bucket, for a caller that was locked out: the store forgets it, and all nodes do so
   * within three seconds. Permits that nodes have leased may be spent meanwhile. If the database
   * has no triggers, other nodes keep what they know until the window ends.
   *
   * <p>If a rule changes the burst of an annotated policy, the caller has a bucket of its own under
   * that rule. It is filled too, and reported as a change of its own.
   *
   * @param policy the policy that counts
   * @param key the caller that it counts
   * @param author the author of the reset, for the history
   * @return completes when the store has forgotten it and the reset is written for other nodes;
   *     exceptionally if the store or the database is unavailable, or the store can't forget
   * @throws IllegalArgumentException if the policy is a quota; grant permits instead
   * @throws IllegalStateException if no running application uses these rules
   */
  CompletionStage<?> reset(Policy policy, Key key, String author);

  /**
   * Lists the buckets of a policy.
   *
   * @param policy the policy
   * @param limit the limit by which the remaining permits are calculated
   * @param after {@link BucketPage#next()} of the previous page; empty begins with the first
   * @param most the most buckets of the page, 1 to 1,000
   * @return a page; empty if the store can't list buckets
   * @throws IllegalArgumentException if {@code after} isn't such a position, or {@code most} out of
   *     range
   * @throws IllegalStateException if no running application uses these rules
   */
  Optional<CompletionStage<BucketPage>> list(Policy policy, long limit, String after, int most);
}
