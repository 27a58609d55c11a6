package io.weir.internal.permits;

import io.weir.store.Grant;
import java.util.Optional;

/**
 * Holds what a node knows of a bucket by itself, for decisions while the store can't be reached:
 * how much the store has granted it, or that nothing is left.
 *
 * <p>Immutable.
 *
 * @param granted permits that the store has granted this node in the running window, at least 0; at
 *     least as many as were actually granted
 * @param refusal the refusal to answer with, if the store reported too few permits and time alone
 *     can't have changed that, or if this node has already had its share
 */
public record LocalBucketView(long granted, Optional<Grant> refusal) {
  public static final LocalBucketView NOTHING = new LocalBucketView(0, Optional.empty());

  public static LocalBucketView granted(long permits) {
    return permits == 0 ? NOTHING : new LocalBucketView(permits, Optional.empty());
  }

  /**
   * Returns a view that refuses.
   *
   * @param answer a grant of no permits, with the time to retry
   */
  public static LocalBucketView refuses(Grant answer) {
    return new LocalBucketView(0, Optional.of(answer));
  }
}
