package io.weir.store;

import java.util.List;

/**
 * Some of the buckets of a policy.
 *
 * @param buckets perhaps none although more follow
 * @param next where the next page begins; empty if there is none
 */
public record BucketPage(List<ScannedBucket> buckets, String next) {
  /** Nothing, and nothing follows. */
  public static final BucketPage EMPTY = new BucketPage(List.of(), "");

  /**
   * Takes the buckets as they are.
   *
   * @param buckets see the record
   * @param next see the record
   */
  public BucketPage {
    buckets = List.copyOf(buckets);
  }
}
