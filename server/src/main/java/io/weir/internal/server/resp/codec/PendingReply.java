package io.weir.internal.server.resp.codec;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A reply that isn't known yet. Commands that come behind it wait with theirs.
 *
 * <p>Immutable, but for the future in it.
 */
public final class PendingReply {
  private final CompletableFuture<?> result;
  private final Runner writing;

  /** Writes what the future has; runs in the thread of the connection. */
  private interface Runner {
    void write(ReplyWriter out);
  }

  private PendingReply(CompletableFuture<?> result, Runner writing) {
    this.result = result;
    this.writing = writing;
  }

  /**
   * A reply to come.
   *
   * @param result completed by any thread
   * @param success writes the result
   * @param failure writes an error
   * @param <T> what the result is
   * @return the reply
   */
  public static <T> PendingReply of(
      CompletableFuture<T> result,
      BiConsumer<T, ReplyWriter> success,
      BiConsumer<Throwable, ReplyWriter> failure) {
    return new PendingReply(
        result,
        out -> {
          Throwable why = failure(result);
          if (why == null) {
            success.accept(result.join(), out);
          } else {
            failure.accept(why, out);
          }
        });
  }

  private static @Nullable Throwable failure(CompletableFuture<?> result) {
    if (!result.isCompletedExceptionally()) {
      return null;
    }
    return result
        .handle(
            (any, why) -> {
              Throwable cause = why instanceof CompletionException ? why.getCause() : null;
              return cause == null ? why : cause;
            })
        .join();
  }

  /**
   * Whether it is known by now.
   *
   * @return true if it can be written
   */
  public boolean isKnown() {
    return result.isDone();
  }

  /**
   * Has something run when it is known.
   *
   * @param task run by whatever thread completes it
   */
  public void whenKnown(Runnable task) {
    var unused = result.whenComplete((any, why) -> task.run());
  }

  /**
   * Writes it, once it is known.
   *
   * @param out where
   */
  public void write(ReplyWriter out) {
    writing.write(out);
  }
}
