package io.weir.internal.server.resp.codec;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A reply that isn't known yet. The replies of later commands wait for it.
 *
 * <p>Immutable, except for the future in it.
 */
public final class PendingReply {
  private final CompletableFuture<?> result;
  private final Writing writing;

  /** Writes the result of the future; runs in the thread of the connection. */
  private interface Writing {
    void write(ReplyWriter out);
  }

  private PendingReply(CompletableFuture<?> result, Writing writing) {
    this.result = result;
    this.writing = writing;
  }

  /**
   * Makes a reply.
   *
   * @param result completes in any thread
   */
  public static <T> PendingReply of(
      CompletableFuture<T> result,
      BiConsumer<T, ReplyWriter> success,
      BiConsumer<Throwable, ReplyWriter> failure) {
    return new PendingReply(
        result,
        out -> {
          Throwable cause = failure(result);
          if (cause == null) {
            success.accept(result.join(), out);
          } else {
            failure.accept(cause, out);
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

  public boolean isKnown() {
    return result.isDone();
  }

  /** Runs a task in the thread that completes it. */
  public void whenKnown(Runnable task) {
    var unused = result.whenComplete((any, why) -> task.run());
  }

  /** Writes it, once it is known. */
  public void write(ReplyWriter out) {
    writing.write(out);
  }
}
