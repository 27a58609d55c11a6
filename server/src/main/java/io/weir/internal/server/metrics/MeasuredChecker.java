package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Timer;
import io.weir.Decision;
import io.weir.RequestChecker;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

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
    return measured(System.nanoTime(), checker.check(request));
  }

  @Override
  public CompletionStage<List<Optional<Decision>>> checkTogether(List<RequestInfo> requests) {
    return measured(System.nanoTime(), checker.checkTogether(requests));
  }

  @Override
  public Optional<Decision> peek(RequestInfo request) {
    return checker.peek(request);
  }

  private <T> CompletionStage<T> measured(long before, CompletionStage<T> stage) {
    return stage.whenComplete(
        (any, failure) -> time.record(System.nanoTime() - before, TimeUnit.NANOSECONDS));
  }
}
