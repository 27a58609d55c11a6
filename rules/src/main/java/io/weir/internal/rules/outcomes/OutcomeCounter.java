package io.weir.internal.rules.outcomes;

import io.weir.Decision;
import java.util.concurrent.atomic.LongAdder;

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

  OutcomeCounter(String policy) {
    this.policy = policy;
  }

  String policy() {
    return policy;
  }

  void add(Decision part) {
    switch (part.outcome()) {
      case ADMITTED -> increment();
      case REFUSED -> refused.increment();
      case SOFT, ELASTIC -> soft.increment();
      case SHADOW_REFUSED -> shadowRefused.increment();
    }
    if (part.degraded()) {
      degraded.increment();
    }
  }

  /** Returns the counts so far; each is at least what an earlier call of the same thread saw. */
  OutcomeSums read() {
    return new OutcomeSums(
        sum(), refused.sum(), soft.sum(), shadowRefused.sum(), degraded.sum());
  }
}
