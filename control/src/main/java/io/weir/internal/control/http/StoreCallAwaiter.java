package io.weir.internal.control.http;

import io.weir.rules.problem.RulesUnavailableException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for an administrator's call of the store, for at most five seconds. */
public final class StoreCallAwaiter {
  /** The status if the store doesn't support the call. */
  public static final int NOT_IMPLEMENTED = 501;

  /** The status if the store doesn't answer. */
  private static final int UNAVAILABLE = 503;

  private static final long TIMEOUT_SECONDS = 5;

  private StoreCallAwaiter() {}

  /**
   * Waits for a call.
   *
   * @param unsupported the detail if the store doesn't support the call
   * @throws RulesUnavailableException if the database can't be reached
   * @throws jakarta.ws.rs.WebApplicationException 501 or 503
   */
  public static <T extends @Nullable Object> T await(CompletionStage<T> call, String unsupported) {
    try {
      return call.toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof UnsupportedOperationException) {
        throw unsupported(unsupported);
      }
      if (failed.getCause() instanceof RulesUnavailableException away) {
        throw away;
      }
    } catch (TimeoutException late) {
      // reported below
    }
    throw Problem.of(UNAVAILABLE, "The store can't be reached.").exception();
  }

  /** Makes the exception, a 501, for a call that the store doesn't support. */
  public static RuntimeException unsupported(String detail) {
    return Problem.of(NOT_IMPLEMENTED, detail).exception();
  }
}
