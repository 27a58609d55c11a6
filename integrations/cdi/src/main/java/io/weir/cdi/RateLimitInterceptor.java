package io.weir.cdi;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Runs a call of a bean's method if its policies admit it, before all other interceptors: what they
 * repeat counts once, and a refusal starts no transaction.
 *
 * <p>Safe for concurrent use. Serializable, for beans that the container stores, such as those of a
 * session.
 */
@Limited
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_BEFORE)
class RateLimitInterceptor implements Serializable {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // the container's proxy, which it can store
  private final MethodLimits limits;

  @Inject
  RateLimitInterceptor(MethodLimits limits) {
    this.limits = limits;
  }

  /**
   * Decides one call.
   *
   * @throws Exception what the method throws, or a refusal
   */
  @AroundInvoke
  @Nullable Object limit(InvocationContext call) throws Exception {
    try {
      return limits.of(call.getTarget(), call.getMethod()).run(call);
    } catch (Exception | Error failure) {
      throw failure;
    } catch (Throwable other) {
      throw new IllegalStateException("neither an Exception nor an Error", other);
    }
  }
}
