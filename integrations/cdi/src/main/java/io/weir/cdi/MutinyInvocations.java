package io.weir.cdi;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Limits methods whose results end later than they return, where Mutiny is present. Loaded only
 * there.
 */
final class MutinyInvocations {
  private MutinyInvocations() {}

  static LimitedInvocation of(Class<?> result, LimitedCall call, Adapter limits) {
    if (result == Uni.class) {
      return new UniInvocation(call, limits);
    }
    if (result == Multi.class) {
      return new MultiInvocation(call, limits);
    }
    LimitedInvocation plain = new PlainInvocation(call);
    return result == CompletionStage.class || result == CompletableFuture.class
        ? new StageInvocation(call, plain)
        : plain;
  }

  /** Goes on in a thread that may block. */
  static void goOn(Runnable task) {
    Infrastructure.getDefaultExecutor().execute(task);
  }
}
