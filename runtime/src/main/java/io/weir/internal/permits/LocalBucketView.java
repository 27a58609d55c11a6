package io.weir.internal.permits;

import io.weir.store.Grant;
import java.util.Optional;

/**
 * What a node knows of a bucket by itself, for decisions while the store can't be reached: how much
 * the store has granted it, or that nothing is left.
 *
 * <p>Immutable.
 *
 * @param granted permits that the store has granted this node in the running window, 0 and more;
 *     rather too many than too few
 * @param refusal the answer if the store said that there are too few permits and time alone can't
 *     have changed that, or if this node has already had its share
 */
public record LocalBucketView(long granted, Optional<Grant> refusal) {
  /** Nothing is known. */
  public static final LocalBucketView NOTHING = new LocalBucketView(0, Optional.empty());

  /**
   * The store has granted some permits.
   *
   * @param permits how many, 0 and more
   * @return a view without a refusal
   */
  public static LocalBucketView granted(long permits) {
    return permits == 0 ? NOTHING : new LocalBucketView(permits, Optional.empty());
  }

  /**
   * There are known to be too few permits.
   *
   * @param answer a grant of no permits that says when to come again
   * @return a view that refuses
   */
  public static LocalBucketView refuses(Grant answer) {
    return new LocalBucketView(0, Optional.of(answer));
  }
}
