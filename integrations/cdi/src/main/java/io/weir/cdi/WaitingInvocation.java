package io.weir.cdi;

import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.RequestValues;
import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Limits a method that returns a plain value, and so waits for its decision. Where a thread that
 * must not block calls it, such as an event loop, warns once.
 *
 * @param plain waits for the decision
 */
record WaitingInvocation(
    LimitedCall call, LimitedInvocation plain, Method method, Adapter limits, AtomicBoolean warned)
    implements LimitedInvocation {
  private static final System.Logger LOG = System.getLogger("io.weir.cdi");

  WaitingInvocation(LimitedCall call, LimitedInvocation plain, Method method, Adapter limits) {
    this(call, plain, method, limits, new AtomicBoolean());
  }

  @Override
  public @Nullable Object run(InvocationContext invocation) throws Throwable {
    if (!warned.get() && !Infrastructure.canCallerThreadBeBlocked()) {
      if (call.takeCharge()) {
        return invocation.proceed();
      }
      if (mayWait() && warned.compareAndSet(false, true)) {
        warn();
      }
    }
    return plain.run(invocation);
  }

  private boolean mayWait() {
    return limits.callsApplication()
        || RequestValues.read(() -> limits.weir().store()) // not of a closed one
            .filter(store -> !store.toLowerCase(Locale.ROOT).startsWith("inprocess"))
            .isPresent();
  }

  private void warn() {
    LOG.log(
        System.Logger.Level.WARNING,
        method.getDeclaringClass().getName()
            + "#"
            + method.getName()
            + " has a limit and was called in the event loop "
            + Thread.currentThread().getName()
            + ", which waits for the decision: return a Uni, or call it in a worker thread (logged"
            + " once)");
  }
}
