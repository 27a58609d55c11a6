package io.weir.aspectj;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.aspectj.lang.ProceedingJoinPoint;
import org.jspecify.annotations.Nullable;

/** Runs a call of a woven method if its policies admit it. */
final class WovenCall {
  private static final Logger LOG = System.getLogger("io.weir.aspectj.LimitedCall");

  /** Whether the warning was logged that a class can't be read. */
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private WovenCall() {}

  /**
   * Runs a call.
   *
   * @param limited decides whether a method is limited at all
   */
  static @Nullable Object run(ProceedingJoinPoint call, Predicate<WovenMethod> limited)
      throws Throwable {
    WovenMethod method;
    try {
      method = WovenMethod.of(call);
    } catch (LinkageError missing) {
      warn(missing);
      return call.proceed();
    }
    return limited.test(method)
        ? method.calls().run(call.getArgs(), call::proceed)
        : call.proceed();
  }

  /** Java can read either all methods of a class or none. */
  private static void warn(LinkageError missing) {
    if (WARNED.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          "a woven class can't be read, since one of its methods mentions a missing class: its"
              + " methods aren't limited (logged once)",
          missing);
    }
  }
}
