package io.weir.testkit.store;

import io.weir.internal.algorithm.BucketState;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;

/**
 * What a simulated store counts by: Weir's own arithmetic, or a broken one whose effect is to be
 * seen.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface StoreArithmetic {
  /** What the store remembers of one bucket. Confine to one thread. */
  interface State {
    /**
     * Executes one claim.
     *
     * @param claim what is asked
     * @param now microseconds since the epoch by the store's clock
     * @return the answer
     */
    Grant step(Claim claim, long now);

    /**
     * When this equals a fresh bucket and is forgotten.
     *
     * @return microseconds since the epoch
     */
    long freshAt();
  }

  /**
   * A fresh bucket.
   *
   * @param spec its algorithm and window
   * @param minLifeMicros the shortest life of a grant
   * @return a state that has used nothing
   */
  State fresh(BucketSpec spec, long minLifeMicros);

  /**
   * The arithmetic that Weir's stores run.
   *
   * @return an exact one
   */
  static StoreArithmetic exact() {
    return (spec, minLifeMicros) -> {
      BucketState state = BucketState.of(spec, minLifeMicros);
      return new State() {
        @Override
        public Grant step(Claim claim, long now) {
          return state.step(claim, now);
        }

        @Override
        public long freshAt() {
          return state.freshAt();
        }
      };
    };
  }
}
