package io.weir.spi;

import java.util.Optional;

/**
 * Finds the span that decisions are recorded on. Weir makes no span of its own.
 *
 * <p>Called at the begin of each decision in the thread that asks for it, so it must return at
 * once. Exceptions are ignored; the first is logged.
 *
 * <p>Safe for concurrent use. Given to the builder or found by {@link java.util.ServiceLoader}.
 */
@FunctionalInterface
public interface DecisionTracing {
  /**
   * Returns the span of this thread.
   *
   * @return empty if there is none, or if it doesn't record
   */
  Optional<DecisionSpan> currentSpan();

  /**
   * Returns tracing that records nothing.
   *
   * @return tracing, always the same object
   */
  static DecisionTracing none() {
    return NoTracing.INSTANCE;
  }
}
