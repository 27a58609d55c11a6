package io.weir.internal.control.http;

import io.weir.rules.RulesUnavailableException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for what the store is asked by hand: at most five seconds. */
public final class BlockingStoreCall {
  /** The store can't do what is asked. */
  public static final int NOT_IMPLEMENTED = 501;

  /** The store doesn't answer. */
  public static final int UNAVAILABLE = 503;

  private static final long PATIENCE_SECONDS = 5;

  private BlockingStoreCall() {}

  /**
   * What the store answers.
   *
   * @param asked the question
   * @param unable what is told if the store can't do that
   * @throws RulesUnavailableException if it was the database that couldn't be reached
   * @throws jakarta.ws.rs.WebApplicationException 501 or 503
   */
  public static <T extends @Nullable Object> T of(CompletionStage<T> asked, String unable) {
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
  public static RuntimeException unable(String detail) {
    return Problem.of(NOT_IMPLEMENTED, detail).exception();
  }
}
