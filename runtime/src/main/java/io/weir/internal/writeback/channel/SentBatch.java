package io.weir.internal.writeback.channel;

/** Gives a claim the time at which, and the epoch of the store to which, its batch was sent. */
public interface SentBatch {
  /** Returns this node's time, read before the claims were made. */
  long sentAt();

  /**
   * Returns whether the store, as far as is known, still has the data that the batch was sent to.
   */
  boolean isDataCurrent();
}
