package io.weir.internal.guard;

import io.weir.Policy;
import io.weir.internal.key.MissingInputWarning;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts roughly how many requests a policy decides, by a sample of one in {@value #ONE_IN}, so
 * that counting costs next to nothing.
 *
 * <p>Safe for concurrent use.
 */
public final class PolicyUsage {
  private static final int ONE_IN = 64;
  private static final int PATIENCE = 10_000;

  private final LongAdder counted = new LongAdder();
  private final MissingInputWarning tier;
  private final AtomicBoolean failed = new AtomicBoolean();
  private volatile boolean used;

  public PolicyUsage(String policy) {
    tier =
        new MissingInputWarning(
            PATIENCE,
            () ->
                "The policy "
                    + policy
                    + " has tiers, but none of its first "
                    + PATIENCE
                    + " requests had one. Check that the application's TierResolver returns the"
                    + " names of these tiers, and that it is passed to Weir.builder() or listed"
                    + " for ServiceLoader");
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

  /** Notes that a request couldn't be decided; returns true the first time only. */
  boolean markFailed() {
    return !failed.get() && failed.compareAndSet(false, true);
  }

  public boolean isUsed() {
    return used;
  }

  /** Estimates how many requests the policy has decided. */
  public long requests() {
    return ONE_IN * counted.sum();
  }
}
