package io.weir.internal.permits;

/**
 * Who is told what goes on between a write-back cache and its store.
 *
 * <p>Called on the threads of the scheduler, of the store and of requests, with no lock held. Must
 * not block and must not throw; what it throws is dropped.
 *
 * <p>Safe for concurrent use.
 */
public interface StoreListener {
  /**
   * A settle was answered, in time or late.
   *
   * @param claims how many claims it had
   * @param nanos how long it took
   */
  void storeExecuted(int claims, long nanos);

  /**
   * A settle or a heartbeat failed or took too long, or a flush did.
   *
   * @param cause why
   */
  void failed(Throwable cause);

  /**
   * It came to be known why something failed that had taken too long, and was told by {@link
   * #failed} then.
   *
   * @param cause why
   */
  default void explained(Throwable cause) {}

  /** The store answers: called with each settle that was answered in time. */
  void answered();
}
