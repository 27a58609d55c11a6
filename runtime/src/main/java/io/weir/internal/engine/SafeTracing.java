package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.DecisionSpan;
import io.weir.spi.DecisionTracing;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Records decisions on the application's spans so that failures of a tracer don't fail requests.
 * Without a tracer it does nothing.
 *
 * <p>Safe for concurrent use.
 */
final class SafeTracing {
  private static final double NANOS_PER_MILLI = 1_000_000;

  private final DecisionTracing tracing;
  private final boolean traced;
  private final SafeCalls calls =
      new SafeCalls(System.getLogger("io.weir"), "The tracer failed; decisions aren't affected");

  SafeTracing(DecisionTracing tracing) {
    this.tracing = tracing;
    this.traced = tracing != DecisionTracing.none();
  }

  private static String text(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the span of this thread; null if there is none that records. */
  @Nullable DecisionSpan currentSpan() {
    return traced ? find() : null;
  }

  private @Nullable DecisionSpan find() {
    try { // a lambda would allocate an object for each decision
      return tracing.currentSpan().orElse(null);
    } catch (Throwable broken) {
      calls.failed(broken);
      return null;
    }
  }

  /** Records on the span of this thread a decision that was made at once. */
  void decided(Decision decision) {
    if (traced) {
      decided(find(), decision, 0);
    }
  }

  /** Records a decision on the span that was current at its begin. */
  void decided(@Nullable DecisionSpan span, Decision decision, long waitedNanos) {
    if (span == null) {
      return;
    }
    calls.run(
        () ->
            span.decided(
                decision.policy().name(), text(decision.outcome()), waitedNanos / NANOS_PER_MILLI));
  }
}
