package io.weir.internal.permits;

/**
 * Is told what goes on between a node and its store.
 *
 * <p>Called on the threads of the scheduler, of the store and of requests, with no lock held. Must
 * neither block nor throw; what it throws is dropped.
 *
 * <p>Safe for concurrent use.
 */
public interface StoreListener {
  /** Ignores everything. */
  StoreListener NONE =
      new StoreListener() {
        @Override
        public void storeExecuted(int claims, long nanos) {}

        @Override
        public void failed(Throwable cause) {}

        @Override
        public void answered() {}
      };

  /**
   * The store answered a call, in time or late.
   *
   * @param claims how many claims the call had
   * @param nanos how long it took
   */
  void storeExecuted(int claims, long nanos);

  /**
   * A call of the store, a heartbeat or a flush failed or took too long.
   *
   * @param cause why
   */
  void failed(Throwable cause);

  /**
   * The reason of a failure became known after the failure itself was reported as a time-out.
   *
   * @param cause why
   */
  default void explained(Throwable cause) {}

  /** The store answered a call in time. */
  void answered();
}
