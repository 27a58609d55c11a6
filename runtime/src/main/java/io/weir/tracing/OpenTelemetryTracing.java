package io.weir.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.weir.spi.DecisionSpan;
import io.weir.spi.DecisionTracing;
import java.util.Optional;

/**
 * Records decisions on the current span of OpenTelemetry, whether its SDK or its agent made it.
 * Used if the API of OpenTelemetry is on the class path and no other tracing was given.
 *
 * <p>Reads only the context, and not the global OpenTelemetry, which an application may set later.
 *
 * <p>Safe for concurrent use.
 */
public final class OpenTelemetryTracing implements DecisionTracing {
  private static final AttributeKey<String> POLICY = AttributeKey.stringKey(DecisionSpan.POLICY);
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey(DecisionSpan.OUTCOME);
  private static final AttributeKey<Double> STORE_WAIT =
      AttributeKey.doubleKey(DecisionSpan.STORE_WAIT);

  /** Follows the context of OpenTelemetry. */
  public OpenTelemetryTracing() {}

  @Override
  public Optional<DecisionSpan> currentSpan() {
    Span span = Span.current();
    return span.isRecording() ? Optional.of(record(span)) : Optional.empty();
  }

  private static DecisionSpan record(Span span) {
    return (policy, outcome, storeWaitMillis) ->
        span.setAttribute(POLICY, policy)
            .setAttribute(OUTCOME, outcome)
            .setAttribute(STORE_WAIT, storeWaitMillis);
  }
}
