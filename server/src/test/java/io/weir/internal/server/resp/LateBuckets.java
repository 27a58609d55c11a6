package io.weir.internal.server.resp;

import io.weir.store.ExactBuckets;
import io.weir.store.ExactRequest;
import io.weir.store.StepRefillReply;
import io.weir.store.StepRefillRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Buckets that complete their replies on demand, in any order, with the tokens that they hold. */
final class LateBuckets implements ExactBuckets {
  private final List<Runnable> waiting = new ArrayList<>();

  @Override
  @SuppressWarnings("unchecked") // only steps are asked for
  public <R> CompletionStage<R> execute(ExactRequest<R> request) {
    StepRefillRequest step = (StepRefillRequest) request;
    CompletableFuture<R> reply = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(() -> reply.complete((R) new StepRefillReply(step.max(), 0)));
    }
    return reply;
  }

  synchronized int waiting() {
    return waiting.size();
  }

  /** Replies to some of those that wait. */
  void reply(Random random, int most) {
    for (int i = 0; i < most; i++) {
      Runnable next;
      synchronized (this) {
        if (waiting.isEmpty()) {
          return;
        }
        next = waiting.remove(random.nextInt(waiting.size()));
      }
      next.run();
    }
  }
}
