package io.weir.spring.method;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Runs the calls of one method that limits apply to. Safe for concurrent use. */
@FunctionalInterface
interface LimitedInvocation {
  /**
   * Runs one call if it is admitted.
   *
   * @throws Throwable what the method throws, or a refusal
   */
  @Nullable Object run(ProxyMethodInvocation invocation) throws Throwable;
}
