package io.weir.store;

import java.util.List;

/**
 * One page of the buckets of a policy.
 *
 * @param buckets may be empty although more follow
 * @param next the position of the next page; empty if there is none
 */
public record BucketPage(List<ScannedBucket> buckets, String next) {
  /** The last page, without buckets. */
  public static final BucketPage EMPTY = new BucketPage(List.of(), "");

  /**
   * Copies the list.
   *
   * @param buckets may be empty although more follow
   * @param next the position of the next page; empty if there is none
   */
  public BucketPage {
    buckets = List.copyOf(buckets);
  }
}
