package io.weir.store;

import io.weir.internal.algorithm.Gcra;
import io.weir.internal.algorithm.StepRefillBucket;

/**
 * Counts the buckets of {@link ExactBuckets}: it turns a bucket, a request and the time into a
 * reply and the bucket after it. It reads no clock, takes no lock and does no I/O. A store that can
 * keep bytes and change them under a lock needs nothing else.
 *
 * <p><b>The format of the bytes.</b> The first byte is the number of the format, 1. Then come whole
 * numbers, seven bits a byte, the lowest first, with the highest bit set in all but the last byte
 * of a number.
 */
public final class ExactArithmetic {
  private ExactArithmetic() {}

  /**
   * Makes a bucket that was never used.
   *
   * @param bucket which one
   * @return a bucket in memory
   */
  public static LiveExactBucket fresh(ExactBucketId bucket) {
    return switch (bucket.kind()) {
      case STEP_REFILL -> new StepRefillBucket();
      case GCRA -> new Gcra();
    };
  }

  /**
   * Reads a bucket.
   *
   * @param bucket which one
   * @param bytes the result of {@link LiveExactBucket#toBytes()}
   * @return a bucket in memory
   * @throws BucketFormatException if the bytes can't be read
   */
  public static LiveExactBucket read(ExactBucketId bucket, byte[] bytes) {
    return switch (bucket.kind()) {
      case STEP_REFILL -> StepRefillBucket.read(bytes);
      case GCRA -> Gcra.read(bytes);
    };
  }
}
