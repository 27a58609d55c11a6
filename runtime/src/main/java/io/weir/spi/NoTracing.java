package io.weir.spi;

import java.util.Optional;

/** Records nothing. */
final class NoTracing implements DecisionTracing {
  static final DecisionTracing INSTANCE = new NoTracing();

  private NoTracing() {}

  @Override
  public Optional<DecisionSpan> currentSpan() {
    return Optional.empty();
  }
}
