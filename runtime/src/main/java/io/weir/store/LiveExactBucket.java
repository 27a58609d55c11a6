package io.weir.store;

/**
 * A bucket of {@link ExactBuckets} in memory, made by {@link ExactArithmetic}.
 *
 * <p>Not safe for concurrent use: whoever holds it guards it.
 */
public interface LiveExactBucket {
  /**
   * Executes a request for this bucket.
   *
   * @param request a request of the bucket that this was made for
   * @param clockMicros microseconds since the epoch by the store's clock
   * @param <R> what is replied
   * @return the reply; it counts only once the bucket is stored, if it {@linkplain #isChanged() was
   *     changed}
   */
  <R> R execute(ExactRequest<R> request, long clockMicros);

  /**
   * Whether the last request changed the bucket, so that it has to be stored.
   *
   * @return false if that one only looked, or was refused without a trace
   */
  boolean isChanged();

  /**
   * From when on the bucket may be dropped.
   *
   * @return microseconds since the epoch by the store's clock; 0 for one that nobody has used
   */
  long expiresAt();

  /**
   * What to store of it.
   *
   * @return bytes that {@link ExactArithmetic#read} takes, about 15 of them
   */
  byte[] toBytes();
}
