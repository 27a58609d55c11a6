package io.weir.cdi;

import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import jakarta.interceptor.InvocationContext;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Limits a method that returns a stage. In a thread that must not block, such as an event loop, a
 * refusal completes the stage; elsewhere it is thrown, as by any other method.
 *
 * @param limits says whether to decide calls parts of the application
 * @param plain waits for the decision
 */
record StageInvocation(LimitedCall call, Adapter limits, LimitedInvocation plain)
    implements LimitedInvocation {
  @Override
  public @Nullable Object run(InvocationContext invocation) throws Throwable {
    return Infrastructure.canCallerThreadBeBlocked() ? plain.run(invocation) : later(invocation);
  }

  private CompletableFuture<@Nullable Object> later(InvocationContext invocation) {
    return limits.callsApplication()
        ? call.startElsewhere(
            invocation.getParameters(), invocation::proceed, MutinyInvocations::goOn)
        : call.start(invocation.getParameters(), invocation::proceed, MutinyInvocations::goOn);
  }
}
