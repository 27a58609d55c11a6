package io.weir.internal.postgres;

import io.weir.store.ExactArithmetic;
import io.weir.store.ExactRequest;
import io.weir.store.LiveExactBucket;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Executes one request of a bucket that is counted exactly. */
final class ExactOperation<R> implements BucketOperation {
  private final ExactRequest<R> request;
  private final long askedAt;
  private final CompletableFuture<R> reply = new CompletableFuture<>();
  private @Nullable R computed;

  ExactOperation(ExactRequest<R> request, long askedAt) {
    this.request = request;
    this.askedAt = askedAt;
  }

  CompletableFuture<R> reply() {
    return reply;
  }

  @Override
  public long epoch() {
    return 0;
  }

  @Override
  public long askedAt() {
    return askedAt;
  }

  @Override
  public Step step(byte @Nullable [] state, long now) {
    LiveExactBucket live =
        state == null
            ? ExactArithmetic.fresh(request.bucket())
            : ExactArithmetic.read(request.bucket(), state);
    computed = live.execute(request, now);
    return live.isChanged()
        ? new Step(live.toBytes(), true, live.expiresAt())
        : new Step(state, false, live.expiresAt());
  }

  @Override
  public void answer(Round round) {
    reply.complete(computed);
  }

  @Override
  public void fail(Throwable failure) {
    reply.completeExceptionally(failure);
  }
}
