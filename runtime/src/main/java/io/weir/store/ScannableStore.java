package io.weir.store;

import java.util.concurrent.CompletionStage;

/**
 * A store that can list the buckets of a policy, for operators.
 *
 * <p>Safe for concurrent use.
 */
public interface ScannableStore extends PermitStore {
  /** The most buckets that one scan returns. */
  int MAX_SCANNED = 1_000;

  /**
   * Lists buckets, without changing any.
   *
   * @param spec the spec of the policy's buckets
   * @param limit permits per window, by which the permits left are computed
   * @param after {@link BucketPage#next()} of the previous page; empty for the first page
   * @param most the most buckets to return, 1 to {@value #MAX_SCANNED}
   * @return buckets that aren't full, in an order of the store's own; completed exceptionally if
   *     the store can't be read
   * @throws IllegalArgumentException if {@code most} is out of range, or {@code after} isn't such a
   *     position
   */
  CompletionStage<BucketPage> scan(BucketSpec spec, long limit, String after, int most);
}
