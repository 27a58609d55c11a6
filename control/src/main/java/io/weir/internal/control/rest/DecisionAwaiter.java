package io.weir.internal.control.rest;

import io.weir.InvalidRequestException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for a decision, for at most the store time-out. */
final class DecisionAwaiter {
  private DecisionAwaiter() {}

  /**
   * Waits for a decision.
   *
   * @throws InvalidRequestException if a policy can't count the request
   */
  static <T> T await(CompletionStage<T> decision) {
    try {
      return decision.toCompletableFuture().join();
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
