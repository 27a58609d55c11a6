package io.weir.internal.engine;

import io.weir.spi.DecisionSpan;
import io.weir.spi.DecisionTracing;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A tracer with a span in the threads that begin one; keeps what is recorded on it. */
public final class RecordedSpans implements DecisionTracing {
  private final ThreadLocal<String> current = new ThreadLocal<>();
  private final List<String> recorded = new CopyOnWriteArrayList<>();
  private volatile double waited;

  /** Begins a span in this thread. */
  public void begin(String name) {
    current.set(name);
  }

  /** Returns span, policy and outcome of each decision. */
  public List<String> recorded() {
    return List.copyOf(recorded);
  }

  /** Returns for how many milliseconds the last one waited. */
  double waited() {
    return waited;
  }

  @Override
  public Optional<DecisionSpan> currentSpan() {
    return Optional.ofNullable(current.get())
        .map(
            span ->
                (policy, outcome, storeWaitMillis) -> {
                  waited = storeWaitMillis;
                  recorded.add(span + " " + policy + " " + outcome);
                });
  }
}
