package io.weir.internal.rules.outcomes;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Policy;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the decisions of one policy since the start, so every count only grows. Is itself the
 * counter of the most frequent outcome, since each further object costs a cache miss.
 *
 * <p>Safe for concurrent use.
 */
final class OutcomeCounter extends LongAdder {
  private static final long serialVersionUID = 1;

  private final String policy;
  private final LongAdder refused = new LongAdder();
  private final LongAdder soft = new LongAdder();
  private final LongAdder shadowRefused = new LongAdder();
  private final LongAdder degraded = new LongAdder();

  @SuppressWarnings("serial") // never serialized
  private volatile @Nullable OfPolicy last;

  /** Pairs a policy with the counter of its name. */
  record OfPolicy(Policy policy, OutcomeCounter counter) {}

  OutcomeCounter(String policy) {
    this.policy = policy;
  }

  String policy() {
    return policy;
  }

  /** Returns the pair of a policy of this name, the same one if it is asked for again. */
  @SuppressWarnings("ReferenceEquality") // by identity, as it is looked up
  OfPolicy of(Policy policy) {
    OfPolicy known = last;
    if (known == null || known.policy != policy) {
      known = new OfPolicy(policy, this);
      last = known;
    }
    return known;
  }

  void add(Decision part) {
    if (part.outcome() == Outcome.ADMITTED) {
      increment();
    } else {
      addOther(part.outcome());
    }
    if (part.degraded()) {
      degraded.increment();
    }
  }

  private void addOther(Outcome outcome) {
    switch (outcome) {
      case ADMITTED -> increment();
      case REFUSED -> refused.increment();
      case SOFT, ELASTIC -> soft.increment();
      case SHADOW_REFUSED -> shadowRefused.increment();
    }
  }

  /** Returns the counts so far; each is at least what an earlier call of the same thread saw. */
  OutcomeSums read() {
    return new OutcomeSums(sum(), refused.sum(), soft.sum(), shadowRefused.sum(), degraded.sum());
  }
}
