package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Timer;
import io.weir.Decision;
import io.weir.RequestChecker;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Measures how long the decisions for one door take. Safe for concurrent use. */
public final class MeasuredChecker implements RequestChecker {
  private final RequestChecker checker;
  private final Timer time;

  /**
   * Measures a checker.
   *
   * @param checker decides
   * @param time the door's
   */
  public MeasuredChecker(RequestChecker checker, Timer time) {
    this.checker = checker;
    this.time = time;
  }

  @Override
  public CompletionStage<Optional<Decision>> check(RequestInfo request) {
    long before = System.nanoTime();
    return DecisionTimer.measure(time, before, checker.check(request));
  }

  @Override
  public CompletionStage<List<Optional<Decision>>> checkTogether(
      List<? extends RequestInfo> requests) {
    long before = System.nanoTime();
    return DecisionTimer.measure(time, before, checker.checkTogether(requests));
  }

  @Override
  public Optional<Decision> peek(RequestInfo request) {
    return checker.peek(request);
  }
}
