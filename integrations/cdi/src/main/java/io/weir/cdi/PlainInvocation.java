package io.weir.cdi;

import io.weir.adapter.LimitedCall;
import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/** Decides a call in its own thread, and waits for the decision. */
record PlainInvocation(LimitedCall call) implements LimitedInvocation {
  @Override
  public @Nullable Object run(InvocationContext invocation) throws Throwable {
    return call.run(invocation.getParameters(), invocation::proceed);
  }
}
