package io.weir.internal.permits;

/**
 * Receives events of the traffic between a node and its store.
 *
 * <p>Called on the threads of the scheduler, of the store and of requests, with no lock held. Must
 * neither block nor throw; exceptions are dropped.
 *
 * <p>Safe for concurrent use.
 */
public interface StoreListener {
  StoreListener NONE =
      new StoreListener() {
        @Override
        public void storeExecuted(int claims, long nanos) {}

        @Override
        public void failed(Throwable cause) {}

        @Override
        public void answered() {}
      };

  /** Reports that the store answered a call, in time or late. */
  void storeExecuted(int claims, long nanos);

  /** Reports that a call of the store, a heartbeat or a flush failed or took too long. */
  void failed(Throwable cause);

  /** Reports the cause of a failure that was reported as a time-out before. */
  default void explained(Throwable cause) {}

  /** Reports that the store answered a call in time. */
  void answered();
}
