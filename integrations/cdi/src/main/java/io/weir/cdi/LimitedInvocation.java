package io.weir.cdi;

import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/** Runs the calls of one method that limits apply to. Safe for concurrent use. */
@FunctionalInterface
interface LimitedInvocation {
  /**
   * Runs one call if it is admitted.
   *
   * @throws Throwable what the method throws, or a refusal
   */
  @Nullable Object run(InvocationContext invocation) throws Throwable;
}
