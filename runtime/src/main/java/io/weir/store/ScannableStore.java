package io.weir.store;

import java.util.concurrent.CompletionStage;

/**
 * A store that can list the buckets of a policy, for people who look after it.
 *
 * <p>Safe for concurrent use.
 */
public interface ScannableStore extends PermitStore {
  /** The most buckets that one scan brings. */
  int MOST_SCANNED = 1_000;

  /**
   * Lists buckets, without changing any.
   *
   * @param spec what the policy's buckets are made of
   * @param limit permits per window, under which it is told what is left
   * @param after {@link BucketPage#next()} of the page before; empty begins with the first
   * @param most how many at most, 1 to {@value #MOST_SCANNED}
   * @return those that count something, in an order of the store's own; completed exceptionally if
   *     the store can't be read
   * @throws IllegalArgumentException if {@code most} is out of range, or {@code after} no such
   *     position
   */
  CompletionStage<BucketPage> scan(BucketSpec spec, long limit, String after, int most);
}
