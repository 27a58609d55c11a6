package io.weir.spring.method;

import io.weir.adapter.LimitedCall;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Decides a call in its own thread, and waits for the decision. */
record PlainInvocation(LimitedCall call) implements LimitedInvocation {
  @Override
  public @Nullable Object run(ProxyMethodInvocation invocation) throws Throwable {
    return call.run(invocation.getArguments(), invocation::proceed);
  }
}
