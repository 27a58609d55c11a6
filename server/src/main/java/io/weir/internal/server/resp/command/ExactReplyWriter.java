package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import io.weir.store.StoreFullException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Replies that a store makes: at once where it answers at once. */
final class ExactReplyWriter {
  private static final String AWAY = "TRYAGAIN the store is away";
  private static final String FULL = "TRYAGAIN the store is full";

  private ExactReplyWriter() {}

  /** Writes the reply, or returns it if it isn't known yet. */
  static <T> @Nullable PendingReply write(
      CompletionStage<T> stage, BiConsumer<T, ReplyWriter> success, ReplyWriter out) {
    CompletableFuture<T> result = stage.toCompletableFuture();
    if (result.isDone() && !result.isCompletedExceptionally()) {
      success.accept(result.join(), out);
      return null;
    }
    return PendingReply.of(result, success, ExactReplyWriter::fail);
  }

  private static void fail(Throwable why, ReplyWriter out) {
    out.error(why instanceof StoreFullException ? FULL : AWAY);
  }

  static String away() {
    return AWAY;
  }
}
