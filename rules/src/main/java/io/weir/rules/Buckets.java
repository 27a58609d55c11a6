package io.weir.rules;

import io.weir.Key;
import io.weir.Policy;
import io.weir.store.BucketPage;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The buckets that callers are counted in.
 *
 * <p>Safe for concurrent use.
 */
public interface Buckets {
  /** What the table of a change is called that tells of a bucket that was made full. */
  String CHANGES = "buckets";

  /**
   * What a bucket is called where people see it: it tells nothing of whose it is without {@code
   * weir.secret}.
   *
   * @param policy the policy that counts
   * @param key whom it counts
   * @return 22 letters, digits, {@code -} and {@code _}
   * @throws IllegalStateException if these rules hold in no application that runs
   */
  String name(Policy policy, Key key);

  /**
   * Makes a bucket full again, for somebody who was locked out: the store forgets it, and all nodes
   * hear of it within three seconds. Permits that nodes have leased may be spent meanwhile. Where
   * the database has no triggers, other nodes go on by what they know until the window is over.
   *
   * @param policy the policy that counts
   * @param key whom it counts
   * @param author who does it, for the history
   * @return completed when the store has forgotten it and the nodes will hear of it; exceptionally
   *     if the store or the database can't be reached, or the store can't forget
   * @throws IllegalArgumentException if it is a quota, which a grant raises and nothing makes full
   * @throws IllegalStateException if these rules hold in no application that runs
   */
  CompletionStage<?> reset(Policy policy, Key key, String author);

  /**
   * Lists the buckets of a policy.
   *
   * @param policy whose
   * @param limit the limit under which it is told what is left
   * @param after {@link BucketPage#next()} of the page before; empty begins with the first
   * @param most how many, 1 to 1,000
   * @return a page; nothing if the store can't list them
   * @throws IllegalArgumentException if {@code after} is no such position, or {@code most} out of
   *     range
   * @throws IllegalStateException if these rules hold in no application that runs
   */
  Optional<CompletionStage<BucketPage>> list(Policy policy, long limit, String after, int most);
}
