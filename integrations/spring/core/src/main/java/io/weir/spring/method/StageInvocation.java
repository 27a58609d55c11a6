package io.weir.spring.method;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.scheduler.Schedulers;

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
  public @Nullable Object run(ProxyMethodInvocation invocation) throws Throwable {
    return Schedulers.isInNonBlockingThread() ? later(invocation) : plain.run(invocation);
  }

  private CompletableFuture<@Nullable Object> later(ProxyMethodInvocation invocation) {
    return limits.callsApplication()
        ? call.startElsewhere(
            invocation.getArguments(), invocation::proceed, ReactiveInvocations::goOn)
        : call.start(invocation.getArguments(), invocation::proceed, ReactiveInvocations::goOn);
  }
}
