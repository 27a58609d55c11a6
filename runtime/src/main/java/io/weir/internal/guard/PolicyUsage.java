package io.weir.internal.guard;

import io.weir.Policy;
import io.weir.internal.key.MissingInputWarning;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests that a policy decides, roughly: one in {@value #ONE_IN}, so that it costs
 * next to nothing.
 *
 * <p>Safe for concurrent use.
 */
final class PolicyUsage {
  private static final int ONE_IN = 64;
  private static final int PATIENCE = 10_000;

  private final LongAdder counted = new LongAdder();
  private final MissingInputWarning tier;
  private final AtomicBoolean failed = new AtomicBoolean();
  private volatile boolean used;

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

  /** Notes that a request came to the policy, which may be switched off. */
  void met() {
    if (!used) {
      used = true;
    }
  }

  /** Counts a request that the policy is about to decide under some limit. */
  void count(Policy policy, long limit) {
    met();
    if ((ThreadLocalRandom.current().nextInt() & ONE_IN - 1) == 0) {
      counted.increment();
    }
    if (!policy.tiers().isEmpty()) {
      tier.note(limit != policy.limit());
    }
  }

  /** Notes that a request couldn't be decided; true the first time, which is logged. */
  boolean failsFirst() {
    return !failed.get() && failed.compareAndSet(false, true);
  }

  /** Whether it has decided a request. */
  boolean isUsed() {
    return used;
  }

  /** How many requests it has decided, about. */
  long requests() {
    return ONE_IN * counted.sum();
  }
}
