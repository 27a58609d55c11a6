package io.weir.tracing;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.weir.spi.DecisionSpan;
import io.weir.spi.DecisionTracing;
import java.util.Optional;

/**
 * Records decisions on the current span of a tracer of Micrometer Tracing. The starters for Spring
 * Boot use the bean; other applications give it to {@code Weir.builder().tracing(…)}.
 *
 * <p>Safe for concurrent use.
 */
public final class MicrometerTracing implements DecisionTracing {
  private final Tracer tracer;

  /**
   * Follows a tracer.
   *
   * @param tracer the application's
   */
  public MicrometerTracing(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public Optional<DecisionSpan> currentSpan() {
    Span span = tracer.currentSpan();
    return span == null || span.isNoop() ? Optional.empty() : Optional.of(record(span));
  }

  private static DecisionSpan record(Span span) {
    return (policy, outcome, storeWaitMillis) ->
        span.tag(DecisionSpan.POLICY, policy)
            .tag(DecisionSpan.OUTCOME, outcome)
            .tag(DecisionSpan.STORE_WAIT, storeWaitMillis);
  }
}
