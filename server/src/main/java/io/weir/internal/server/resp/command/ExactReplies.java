package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.LaterReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import io.weir.store.StoreFullException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Replies that a store makes: at once where it answers at once. */
final class ExactReplies {
  private static final String AWAY = "TRYAGAIN the store is away";
  private static final String FULL = "TRYAGAIN the store is full";

  private ExactReplies() {}

  /** Writes the reply, or returns it if it isn't known yet. */
  static <T> @Nullable LaterReply write(
      CompletionStage<T> stage, BiConsumer<T, ReplyWriter> success, ReplyWriter out) {
    CompletableFuture<T> result = stage.toCompletableFuture();
    if (result.isDone() && !result.isCompletedExceptionally()) {
      success.accept(result.join(), out);
      return null;
    }
    return LaterReply.of(result, success, ExactReplies::fail);
  }

  private static void fail(Throwable why, ReplyWriter out) {
    out.error(why instanceof StoreFullException ? FULL : AWAY);
  }

  static String away() {
    return AWAY;
  }
}
