package io.weir.store;

/**
 * A bucket of {@link ExactBuckets} in memory, made by {@link ExactArithmetic}.
 *
 * <p>Not safe for concurrent use: the owner guards it.
 */
public interface LiveExactBucket {
  /**
   * Executes a request for this bucket.
   *
   * @param request a request of the bucket that this was made for
   * @param clockMicros microseconds since the epoch by the store's clock
   * @param <R> the type of the reply
   * @return the reply; it is valid only once the bucket is stored, if it {@linkplain #isChanged()
   *     was changed}
   */
  <R> R execute(ExactRequest<R> request, long clockMicros);

  /**
   * Returns whether the last request changed the bucket, so that it has to be stored.
   *
   * @return false if that one only asked, or was refused without a trace
   */
  boolean isChanged();

  /**
   * Returns when the bucket may be dropped.
   *
   * @return microseconds since the epoch by the store's clock; 0 for an unused one
   */
  long expiresAt();

  /**
   * Encodes the bucket for {@link ExactArithmetic#read}.
   *
   * @return about 15 bytes
   */
  byte[] toBytes();
}
