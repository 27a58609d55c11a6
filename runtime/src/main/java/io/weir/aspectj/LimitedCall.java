package io.weir.aspectj;

import io.weir.RateLimitExceededException;
import io.weir.guard.CurrentRequest;
import io.weir.guard.EndpointGuard;
import io.weir.guard.GuardedRequest;
import io.weir.guard.Weir;
import io.weir.key.KeyTooLongException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.aspectj.lang.ProceedingJoinPoint;

/** Runs a call if its guard admits it, and settles it by how it ends. */
final class LimitedCall {
  private static final Logger LOG = System.getLogger(LimitedCall.class.getName());
  private static final int SUCCESS = 200;

  private LimitedCall() {}

  static Object run(ProceedingJoinPoint call, WovenMethod method) throws Throwable {
    if (CurrentRequest.takeCharge(method.method())) {
      return call.proceed();
    }
    Optional<EndpointGuard> guard = Weir.application(method.type()).map(method::guard);
    if (guard.isEmpty() || guard.get().isEmpty()) {
      return call.proceed();
    }
    MethodRequest request = new MethodRequest(CurrentRequest.get(), method.names(), call.getArgs());
    GuardedRequest entered = guard.get().enter(request);
    admit(entered);
    return proceed(call, entered);
  }

  /** A failure of the limiter itself, or of an application's resolver, fails no method. */
  private static void admit(GuardedRequest entered) {
    try {
      entered.admit();
    } catch (RateLimitExceededException | KeyTooLongException refusal) {
      throw refusal;
    } catch (RuntimeException trouble) {
      LOG.log(Level.ERROR, "a call was admitted without a decision", trouble);
    }
  }

  private static Object proceed(ProceedingJoinPoint call, GuardedRequest entered) throws Throwable {
    Object result;
    try {
      result = call.proceed();
    } catch (Throwable failure) {
      settle(entered, false);
      throw failure;
    }
    if (result instanceof CompletionStage<?> stage) {
      var unused = stage.whenComplete((value, failure) -> settle(entered, failure == null));
    } else {
      settle(entered, true);
    }
    return result;
  }

  private static void settle(GuardedRequest entered, boolean success) {
    try {
      if (success) {
        entered.completed(SUCCESS);
      } else {
        entered.failed();
      }
    } catch (RuntimeException trouble) {
      LOG.log(Level.ERROR, "a call was not settled", trouble);
    }
  }
}
