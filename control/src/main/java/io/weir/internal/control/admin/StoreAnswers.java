package io.weir.internal.control.admin;

import io.weir.internal.control.http.Problem;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for what the store is asked by hand: at most five seconds. */
final class StoreAnswers {
  /** The store can't do what is asked. */
  static final int NOT_IMPLEMENTED = 501;

  /** The store doesn't answer. */
  static final int UNAVAILABLE = 503;

  private static final long PATIENCE_SECONDS = 5;

  private StoreAnswers() {}

  /**
   * What the store answers.
   *
   * @param asked the question
   * @param unable what is told if the store can't do that
   * @throws RulesUnavailableException if it was the database that couldn't be reached
   * @throws jakarta.ws.rs.WebApplicationException 501 or 503
   */
  static <T extends @Nullable Object> T of(CompletionStage<T> asked, String unable) {
    try {
      return asked.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof UnsupportedOperationException) {
        throw unable(unable);
      }
      if (failed.getCause() instanceof RulesUnavailableException away) {
        throw away;
      }
    } catch (TimeoutException late) {
      // told below
    }
    throw Problem.of(UNAVAILABLE, "The store doesn't answer.").exception();
  }

  /** 501, with what the store can't do. */
  static RuntimeException unable(String detail) {
    return Problem.of(NOT_IMPLEMENTED, detail).exception();
  }
}
