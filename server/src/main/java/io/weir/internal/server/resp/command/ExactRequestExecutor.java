package io.weir.internal.server.resp.command;

import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import io.weir.store.ExactBuckets;
import io.weir.store.ExactRequest;
import io.weir.store.StoreFullException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Executes requests on exact buckets and writes their replies: at once if the store answers at
 * once.
 *
 * <p>Safe for concurrent use.
 */
public final class ExactRequestExecutor {
  private static final String AWAY = "TRYAGAIN the store can't be reached";
  private static final String FULL = "TRYAGAIN the store is full";

  private final ExactBuckets buckets;
  private final DecisionTimer timer;

  public ExactRequestExecutor(ExactBuckets buckets, DecisionTimer timer) {
    this.buckets = buckets;
    this.timer = timer;
  }

  /** Writes the reply, or returns it if it isn't known yet. */
  <R> @Nullable PendingReply execute(
      ExactRequest<R> request, BiConsumer<R, ReplyWriter> success, ReplyWriter out) {
    long start = timer.start();
    CompletableFuture<R> result = timer.stop(start, buckets.execute(request)).toCompletableFuture();
    if (result.isDone() && !result.isCompletedExceptionally()) {
      success.accept(result.join(), out);
      return null;
    }
    return PendingReply.of(result, success, ExactRequestExecutor::fail);
  }

  private static void fail(Throwable why, ReplyWriter out) {
    out.error(why instanceof StoreFullException ? FULL : AWAY);
  }

  static String away() {
    return AWAY;
  }
}
