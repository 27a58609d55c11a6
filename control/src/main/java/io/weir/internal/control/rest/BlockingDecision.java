package io.weir.internal.control.rest;

import io.weir.InvalidRequestException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for decisions, which takes at most the store time-out. */
final class BlockingDecision {
  private BlockingDecision() {}

  /**
   * What was decided.
   *
   * @throws InvalidRequestException if a policy can't count the request
   */
  static <T> T of(CompletionStage<T> decided) {
    try {
      return decided.toCompletableFuture().join();
    } catch (CompletionException failed) {
      Throwable cause = failed;
      while (cause instanceof CompletionException && cause.getCause() != null) {
        cause = cause.getCause();
      }
      if (cause instanceof InvalidRequestException invalid) {
        throw invalid;
      }
      throw failed;
    }
  }
}
