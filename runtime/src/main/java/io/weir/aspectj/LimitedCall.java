package io.weir.aspectj;

import io.weir.internal.application.ApplicationWeirs;
import io.weir.internal.extension.SafeCalls;
import io.weir.internal.guard.CurrentRequest;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.aspectj.lang.ProceedingJoinPoint;

/** Runs a call of a woven method if its policies admit it, and completes it by its result. */
final class LimitedCall {
  private static final Logger LOG = System.getLogger(LimitedCall.class.getName());
  private static final int SUCCESS = 200;

  /** Java can read either all methods of a class or none. */
  private static final SafeCalls UNREADABLE =
      new SafeCalls(
          LOG,
          "a woven class can't be read, since one of its methods mentions a missing class: its"
              + " methods aren't limited");

  private LimitedCall() {}

  /**
   * Runs a call.
   *
   * @param limited decides whether a method is limited at all
   */
  static Object run(ProceedingJoinPoint call, Predicate<WovenMethod> limited) throws Throwable {
    WovenMethod method;
    try {
      method = WovenMethod.of(call);
    } catch (LinkageError missing) {
      UNREADABLE.failed(missing);
      return call.proceed();
    }
    return limited.test(method) ? run(call, method) : call.proceed();
  }

  private static Object run(ProceedingJoinPoint call, WovenMethod method) throws Throwable {
    if (CurrentRequest.takeCharge(method.method())) {
      return call.proceed();
    }
    Optional<GuardedEndpoint> endpoint = ApplicationWeirs.get(method.type()).map(method::endpoint);
    if (endpoint.isEmpty() || endpoint.get().isEmpty()) {
      return call.proceed();
    }
    MethodRequest request =
        new MethodRequest(
            method.label(),
            CurrentRequest.get(),
            method.names(),
            call.getArgs(),
            endpoint.get().needsAddress());
    GuardedRequest entered = endpoint.get().enterCall(request);
    entered.admit();
    return proceed(call, entered);
  }

  private static Object proceed(ProceedingJoinPoint call, GuardedRequest entered) throws Throwable {
    Object result;
    try {
      result = call.proceed();
    } catch (Throwable failure) {
      finish(entered, false);
      throw failure;
    }
    if (result instanceof CompletionStage<?> stage) {
      var unused = stage.whenComplete((value, failure) -> finish(entered, failure == null));
    } else {
      finish(entered, true);
    }
    return result;
  }

  private static void finish(GuardedRequest entered, boolean success) {
    try {
      if (success) {
        entered.completed(SUCCESS);
      } else {
        entered.failed();
      }
    } catch (RuntimeException | LinkageError failure) {
      LOG.log(Level.ERROR, "the outcome of a call couldn't be counted", failure);
    }
  }
}
