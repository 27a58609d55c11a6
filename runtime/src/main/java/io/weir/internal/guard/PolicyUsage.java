package io.weir.internal.guard;

import io.weir.Policy;
import io.weir.internal.key.MissingInputWarning;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Whether a policy has been of any use, and about how often. Counts one request in {@value
 * #ONE_IN}, so that it costs next to nothing.
 *
 * <p>Safe for concurrent use.
 */
final class PolicyUsage {
  private static final int ONE_IN = 64;
  private static final int PATIENCE = 10_000;

  private final LongAdder counted = new LongAdder();
  private final MissingInputWarning tier;
  private final AtomicBoolean failed = new AtomicBoolean();
  private volatile boolean met;

  PolicyUsage(String policy) {
    tier =
        new MissingInputWarning(
            PATIENCE,
            () ->
                "The policy "
                    + policy
                    + " has tiers, but none of its first "
                    + PATIENCE
                    + " callers had one: does the application's TierResolver name them as the"
                    + " policy does, and is it given to Weir.builder() or ServiceLoader?");
  }

  /** The policy is about to decide a request under some limit. */
  void note(Policy policy, long limit) {
    if (!met) {
      met = true;
    }
    if ((ThreadLocalRandom.current().nextInt() & ONE_IN - 1) == 0) {
      counted.increment();
    }
    if (!policy.tiers().isEmpty()) {
      tier.note(limit != policy.limit());
    }
  }

  /** A request couldn't be decided; true only the first time, which is worth a line. */
  boolean failsFirst() {
    return !failed.get() && failed.compareAndSet(false, true);
  }

  /** Whether it has decided a request. */
  boolean isMet() {
    return met;
  }

  /** How many requests it has decided, about. */
  long requests() {
    return ONE_IN * counted.sum();
  }
}
